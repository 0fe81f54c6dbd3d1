var Mt="2025-11-25",Nt="2026-01-26",_t=["2026-01-26","2025-11-21"];var p=i=>({}).toString.call(i)=="[object Object]",P=i=>p(i)||Array.isArray(i)||Object(i)!==i&&typeof i!="bigint",k=(i,t,e=[],s=0)=>t(i)&&(Object(i)!==i||s<256&&Object.keys(i).every(o=>(e.splice(s,256,o),o!="__proto__"&&k(i[o],t,e,s+1))));function Dt(i){let t=typeof i=="string"&&URL.canParse(i)?new URL(i):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function Pt(i){globalThis.open(i.href,"_blank","noopener,noreferrer")}var Oe=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Ct=120;function Ie(i){let s=(String(i??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),o=/\.[^.]{1,16}$/.exec(s)?.[0]??"",n=s.length>Ct?s.slice(0,Ct-o.length).trimEnd()+o:s;return!n||Oe.test(n)?`download${n&&"-"}${n}`:n}function Ut(i,t){for(let e of i){let s=Le(e);s?Re(s,Ie(e.name)):t?.(e)}}function Le({text:i,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof i=="string")return new Blob([i],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),o=>o.charCodeAt(0))],{type:s})}catch{return null}}function Re(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var ht=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(s=>[...s.values()]);this.#e.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let o=this.#e.get(t)??new Map;o.delete(e),this.#e.set(t,o.set(e,s))}forget(t){this.#e.delete(t)}},Me=globalThis,Ne=Symbol.for("cloche.calm"),g=Me[Ne]??=new ht;var q=class{#t=0;#e=0;#i=!1;#s=!1;#o="";#r=0;#n=new Set;#a;#h;constructor(t,e,s,o){this.shade=t,this.box=e,this.buttons=s,this.changed=o}start(){this.stop(),this.#o="",this.#s=!1,this.#d(),this.changed(!1),this.#c(),this.#u(),this.#f()}stop(){this.#i=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#r)}counts(t){return this.#l(),t.isTrusted&&this.#i}#c(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#d();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#m(),e),this.shade.addEventListener("keydown",o=>this.#g(o),e);for(let o of["pointerup","pointercancel","keyup"])addEventListener(o,()=>this.#w(),e);addEventListener("pointermove",o=>o.buttons===0&&this.#w(),e)}#u(){if(this.#n.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:100,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:o,target:n}=s;o?this.#n.delete(n):this.#n.add(n)}},t);for(let e of this.#v())this.#n.add(e),this.#h.observe(e)}#f(){this.#r=requestAnimationFrame(()=>{this.#l(),this.#f()})}#l(){let t=this.#v(),e=[this.box,...t].map(_e).join(),s=e===this.#o;if(this.#o=e,!s||this.#s||!this.#E(t))return this.#d();let o=performance.now();this.#t+=Math.min(o-this.#e,100),this.#e=o,!this.#i&&this.#t>=700&&this.#p(!0)}#d(){this.#t=0,this.#e=performance.now(),this.#i&&this.#p(!1)}#p(t){this.#i=t,this.changed(t)}#m(){this.#l(),this.#i||(this.#s=!0)}#g(t){this.#l();let e=t.key==="Enter"||t.key===" ";this.#i&&!(e&&t.repeat)||(this.#s=!0,this.#d())}#w(){this.#s&&(this.#s=!1,this.#d())}#v(){return this.buttons.filter(t=>!t.hidden)}#E(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(Ce)&&t.every(s=>this.#x(s))}#x(t){return De(t)&&(!this.#n.has(t)||Pe(t))}};function _e(i){let{x:t,y:e,width:s,height:o}=i.getBoundingClientRect();return`${t} ${e} ${s} ${o}`}function Ce(i){let{left:t,top:e,right:s,bottom:o,width:n}=i.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:h,height:l}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return n>0&&t>=r-1&&e>=a-1&&s<=r+h+1&&o<=a+l+1}function De(i){let{left:t,top:e,right:s,bottom:o}=i.getBoundingClientRect(),[n,r]=[(t+s)/2,(e+o)/2],a=i.getRootNode();return[[n,r],[t+2,r],[s-2,r],[n,e+2],[n,o-2]].every(([l,d])=>a.elementFromPoint(l,d)===i)}function Pe(i){for(let t=i;t;t=Ue(t)){let{opacity:e,filter:s,transform:o}=getComputedStyle(t);if(e!=="1"||s!=="none"||o!=="none")return!0}return!1}function Ue(i){if(i.assignedSlot)return i.assignedSlot;let t=i.getRootNode();return i.parentElement??(t instanceof ShadowRoot?t.host:null)}function c(i,t={},...e){let s=document.createElement(i);for(let[o,n]of Object.entries(typeof t=="string"?{class:t}:t))o in s&&!o.includes("-")?Reflect.set(s,o,n):n!==""&&s.setAttribute(o,n);return s.append(...e.filter(o=>o!=null&&o!==!1)),s}var jt="http://www.w3.org/2000/svg";function z(i){let t=document.createElementNS(jt,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(jt,"path"),s={d:i,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[o,n]of Object.entries(s))e.setAttribute(o,n);return t.append(e),t}var je=0,I=class{#t=[];#e;#i;#s=!1;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let o=`cloche-question-${++je}`;this.title=c("h2",{id:`${o}-title`}),this.text=c("p",{id:`${o}-text`}),this.details=c("pre",{tabIndex:0}),this.time=c("span",{class:"time",role:"timer"}),this.refuse=c("button",{class:"refuse",onclick:()=>this.#l(!1)}),this.lasting=c("button","lasting"),this.accept=c("button","accept main");let n=c("div","row",this.time,c("span","buttons",this.refuse,this.lasting,this.accept)),{title:r,text:a,details:h}=this,l={"aria-modal":"true","aria-labelledby":r.id,"aria-describedby":a.id};this.box=c("div",{class:"question",role:"alertdialog",tabIndex:-1,...l},r,a,h,n),this.shade=c("div",{class:"shade",hidden:!0},this.box),this.#o=new q(this.shade,this.box,[this.lasting,this.accept],d=>this.#n(d)),this.accept.addEventListener("click",d=>this.#o.counts(d)&&this.#l(!0)),this.lasting.addEventListener("click",d=>this.#o.counts(d)&&this.#l("page")),this.shade.addEventListener("keydown",d=>this.#u(d)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(o=>{this.#t.push({key:t,question:e,resolve:o,seen:s}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);e===0?this.#l(!1):e>0&&this.#t.splice(e,1)[0].resolve(!1)}clear(){for(let{resolve:t}of this.#t.splice(1))t(!1);this.#t.length>0&&this.#l(!1)}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=qe(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.#i=void 0,this.shade.hidden=!1,g.begin(this),this.#h(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#a(),250),this.#a()}#n(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#i!==void 0||(this.#i=performance.now()+Ft(e.question)*1e3,e.seen())}#a(){if(this.#t.length===0)return;let t=Ft(this.#t[0].question),e=this.#i===void 0?t:(this.#i-performance.now())/1e3;if(e<=0)return this.#l(null);this.time.textContent=`No answer means no: ${String(Math.ceil(e)).padStart(String(t).length,Fe)} s`}#h(){let t=this.#c(),e=t.activeElement!==null;this.#s||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#c(){return this.panel.getRootNode()}#u(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.#l(!1)):t.key==="Tab"&&this.#f(t)}#f(t){let e=[this.details,this.refuse,this.lasting,this.accept].filter(r=>!r.hidden),s=this.#c(),o=e.findIndex(r=>r===s.activeElement),n=o<0?t.shiftKey?e.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),e[(n+e.length)%e.length].focus()}#l(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#d(),e?.resolve(t)}#d(){clearInterval(this.#e),this.#o.stop();let t=this.#c(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#s&&this.giveBack(),this.#s=!1,g.end(this)}},Fe="\u2007";function Ft(i){return i.seconds??30}function qe(i){if(i==null)return"";if(typeof i!="object")return String(i);let t=Object.entries(i).map(([e,s])=>[e,ze(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}function ze(i){return typeof i=="string"?i:JSON.stringify(i)??""}var H=class{#t=new Map;#e=new Map;#i=[];#s=!1;#o=null;#r=new Map;pressed(t){t.repeat&&!this.#n(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#s=t.shiftKey,this.#c(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#n(t)||this.#a(t),this.#t.delete(t.code),this.#s=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,s){let o=performance.now(),n=o+1e3;this.#r.set(t,{until:n,taken:s}),this.#o={at:o,until:n,field:e,isShifted:this.#s}}acquit(t){this.#r.delete(t),this.#r.size===0&&(this.#o=null)}doubt(t){return Math.max(0,(this.#r.get(t)?.until??0)-performance.now())}#n({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#o;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:o,shiftKey:n,altKey:r,ctrlKey:a,metaKey:h,isComposing:l}=t;if(!(s.length>1&&s!=="Backspace"||r||a||h||l)){this.#e.set(o,t.timeStamp),n===e.isShifted&&this.#h({key:s,code:o,at:e.at,types:!0},e.field);for(let[d,{until:f,taken:b}]of this.#r)this.#r.delete(d),performance.now()<f&&b()}}#h({key:t,code:e,at:s},o){if(!o?.isConnected)return;let n=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!o.dispatchEvent(n))return;let r=o;if(t==="Enter"&&o.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,h=r.value?.length,d=this.#i.filter(x=>x.field===o&&x.at>s).reduce((x,{step:F})=>x+F,0),f=d>0?0:Number(r.selectionEnd)-Number(a);a!==null&&d>0&&r.setSelectionRange(a-d,a-d),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||qt(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let b=t==="Delete"?a:Number(a)+r.value?.length-h+f;a!==null&&r.setSelectionRange(b,b),this.#c(o,t,s)}#c(t,e,s){this.#i=[...this.#i.filter(o=>performance.now()-o.at<3e4),{field:t,at:s,step:qt(e)}]}};function qt(i){return i==="Backspace"?-1:[...i].length===1?i.length:0}var He=3,$e=6e4,Be=300,We=500,Ge=100,zt=1e3,Ke=250,Ht=20,Ve="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Je="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",lt=class{#t=new Map;#e=null;#i=null;#s=-1/0;#o=-1/0;#r=!1;#n=null;#a=null;#h=!1;#c=new H;#u;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#f()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#i!==t?this.#T(t,this.#e):this.#i=null,this.#S(e,this.#e))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#x()?Ke:0,this.#c.doubt(t))}get isWriting(){return Bt(this.#i===null&&this.#v()?this.#e:$())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let s=this.#t.get(t);!s||this.#i!==null||this.#r||e.at<s.hadUntil||(s.keys.push(e),this.#b(t,s))}#f(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#l(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#m()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#s=e.timeStamp)},t),addEventListener("keydown",e=>this.#g(e),t),addEventListener("keyup",e=>this.#c.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#w(),t),this.#e=$()}#l(t){this.#n=this.#a=null;let[e]=t.composedPath(),s=this.#r&&e===this.#e;this.#r=!1,e instanceof HTMLElement&&!s&&this.#d(e)}#d(t){this.#e=t,this.#s=performance.now(),this.#p();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#p(){let t=this.#i&&this.#t.get(this.#i);t&&(t.hadUntil=performance.now()),this.#i=null}#m(){$()===null&&document.hasFocus()&&this.#d(null)}#g(t){t.isTrusted&&(this.#p(),this.#s=t.timeStamp,this.#c.pressed(t),this.#n=t.key==="Tab"?t:null,!this.#n&&!t.ctrlKey&&!t.metaKey&&(this.#o=performance.now()))}#w(t=0){clearTimeout(this.#u);let e=this.#v();this.#r=!e&&t===Ht,!e&&!document.hasFocus()&&t<Ht&&(this.#u=setTimeout(()=>this.#w(t+1),t));let s=e&&this.#t.get(e);s&&this.#b(e,s)}#v(){return[...this.#t.keys()].find(t=>$t(t).activeElement===t)}#E(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:o}=this.#n??{timeStamp:-1/0,defaultPrevented:!0},n=!o&&performance.now()-s<We;return e||n||this.#e===null||!this.#e.isConnected}#x(){return this.#e?.isConnected===!0&&this.#e.matches(Ve)}#y(t,e){this.#i=t,e.keys=[]}async#b(t,e){if(this.#E(t))return this.#y(t,e);let s=this.#e,o=this.#s,n=this.#x(),r=t.closest("[inert]")!==null,a=performance.now()-this.#o<Be;this.#c.suspect(t,s,e.sandbox.stolen);let h=setTimeout(()=>this.#T(t,s),a||r?0:Ge),l=await(r?ct(0):Promise.race([e.sandbox.ask(),ct(zt)]));clearTimeout(h);let d=l?.isKnown===!1&&l.isActive&&!e.wasActive&&!a,f=l!==null&&(l.pointedAt>o||d);if(this.#t.get(t)===e){if(!f)return this.#k(t,e,s,n,l!==null);this.#c.acquit(t),e.sandbox.release(),this.#s===o&&(this.#y(t,e),$()===s&&e.sandbox.focus())}}async#k(t,e,s,o,n){if(this.#T(t,s),n&&await Promise.race([e.sandbox.ask(),ct(zt)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(h=>r-h<$e),r],(this.#S(e,s)||o||e.thefts.length>=He)&&e.sandbox.stolen()}#T(t,e){if($t(t).activeElement!==t)return;let s=this.#s;t.blur(),e?.focus({preventScroll:!0}),this.#s=s}#S(t,e){let s=t.keys.splice(0);for(let o of s)this.#c.reported(o,Bt(e)?e:null);return s.length>0}};function ct(i){return new Promise(t=>setTimeout(t,i,null))}function $t(i){return i.getRootNode()}function Bt(i){return i!==null&&(i.isContentEditable||i.matches(Je))}function $(){let i=document.activeElement;for(;i?.shadowRoot?.activeElement;)i=i.shadowRoot.activeElement;return i instanceof HTMLElement&&i!==document.body?i:null}var Ye=globalThis,Xe=Symbol.for("cloche.keyboard"),y=Ye[Xe]??=new lt;var Qe;var Ze;function Gt(){return Ze??=ts()}function ts(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let i=document.createElement("iframe");i.style.display="none",document.body.append(i);let t=i.contentDocument;for(let e=1;t?.body&&e<10;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return i.remove(),!t?.body}function dt(i,t=document.body){return Qe??=es(i,t)}var Wt=!1;async function Kt(i,t){return Wt?!1:(Wt=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),dt(i,t))}function es({url:i,origin:t},e){let s=crypto.randomUUID(),o=document.createElement("iframe");return o.setAttribute("sandbox","allow-scripts allow-same-origin"),o.style.display="none",o.src=`${i}#${s}`,new Promise(n=>{let r=l=>{clearTimeout(h),removeEventListener("message",a),o.remove(),n(l)},a=({source:l,origin:d,data:f})=>{l!==null&&l===o.contentWindow&&d===t&&f?.nonce===s&&r(f.leaky!==!1)},h=setTimeout(()=>r(!0),1e4);addEventListener("message",a),e.append(o)})}var Vt={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var Jt={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},Yt={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var Xt=i=>"Request "+i+" timed out",Qt=i=>"Request "+i+" was cancelled",Zt=()=>"Transport is closed",te=()=>"This id is in use by a request that is not answered yet";var A={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},os=4;function pt(i,{bytes:t,depth:e}){let s=[],o=t,n="";return k(i,a=>{let h=s.at(-1)??"",l=typeof a=="string"?a:"";return o-=os+h.length+l.length+(Array.isArray(a)?a.length:0),o<0?n="is too large":l.isWellFormed()?Object(a)===a&&s.length>=e?n="is nested too deeply":(!P(a)||typeof a=="symbol"||!h.isWellFormed())&&(n="is not JSON"):n="holds half a character",!n},s)?null:n||"is not JSON"}function ut(i){return typeof i=="object"&&!Array.isArray(i)&&i?.jsonrpc==="2.0"}var v=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},B=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new v(t.rate,t.burst,e),this.patience=new v(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=pt(t,this.limits);return e?this.#e(t,-32600,"The message "+e):ut(t)?ee(t)?this.#t.has(t.id)?this.#e(t,-32600,te()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,s){return ee(t)?{code:e,message:s}:"drop"}};function ee(i){return typeof i?.method=="string"&&/^(string|number)$/.test(typeof i.id)}var ns=20,rs=5,ft=new Map;function se(i,t,e){return i?(addEventListener("message",as,{capture:!0}),ft.set(i,{bucket:new v(rs,ns),count:0,proxy:t,flooded:e}),()=>{ft.delete(i)}):()=>{}}function as(i){if(i.isTrusted&&i.source===null&&i.origin==="null")return i.stopImmediatePropagation();let t=hs(i.source),e=t&&ft.get(t);e&&(i.source!==e.proxy()&&i.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function hs(i){let t=i&&"parent"in i?i:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ie="ui/notifications/sandbox-",cs="allow-scripts allow-same-origin allow-forms",mt=2e4,ls=5e3,ds=5e3,ps=1e4,ne=10,us=30,oe=ps/ne,fs=250,ms=.25,L=class{#t=ws();#e=0;#i=0;#s=!1;#o=us;#r=!1;#n=0;#a=[];#h=!1;#c=()=>{};#u=new Map;#f=0;#l=-1/0;#d=1/0;#p=null;#m;constructor(t,e){this.options=t,this.bucket=new v(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",cs),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!gs(this.options.sandbox))return this.#g("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#x),document.addEventListener("securitypolicyviolation",this.#E),this.element.addEventListener("load",()=>this.#v()),this.#w(mt),t.append(this.element);let e=s=>this.#g("flood",{count:s});this.#c=se(this.element.contentWindow,()=>this.#b(),e),y.watch(this.element,{ask:()=>this.#T(),focus:()=>this.focus(),release:()=>this.#_(),stolen:()=>this.#g("focus")})}get isOver(){return this.#r}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#p&&(this.#w(mt),this.#k(e))}post(t){this.#p?.postMessage({message:t})}postBytes(t){this.#p?.postMessage({bytes:t},[t])}setTheme(t){this.#p?.postMessage({theme:t})}focus(){y.give(this.element),this.#p?.postMessage({focus:!0})}remove(){this.#r=!0,clearTimeout(this.#m),this.#c(),y.unwatch(this.element),removeEventListener("message",this.#x),document.removeEventListener("securitypolicyviolation",this.#E),this.#p?.close(),this.#p=null,this.element.remove()}#g(t,e){this.#r||(this.remove(),this.handlers.ended(t,e))}#w(t){clearTimeout(this.#m),this.#m=setTimeout(()=>this.#g("silent"),t)}#v(){if(this.#e+=1,this.#e>1)return this.#g("navigated");this.#p||this.#r||this.#w(ls)}#E=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#g("blocked")};#x=t=>{if(!this.#y(t))return;removeEventListener("message",this.#x);let{html:e}=this.options;e?this.#w(mt):clearTimeout(this.#m);let s=new MessageChannel;this.#p=s.port1,this.#p.onmessage=({data:r})=>this.#M(r);let o={nonce:this.#t},n={jsonrpc:"2.0",method:ie+"port",params:o};this.#b()?.postMessage(n,this.options.sandbox.origin,[s.port2]),e&&this.#k(e)};#y({source:t,origin:e,data:s}){return t!==null&&t===this.#b()&&e===this.options.sandbox.origin&&s?.method===ie+"proxy-ready"&&s.params?.nonce===this.#t}#b(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#k(t){let{frame:e,limits:s,theme:o}=this.options;try{let n=await t;clearTimeout(this.#m),this.setTheme(o);let r=!e.framed&&Gt();this.#p?.postMessage({html:n,frame:e,limits:s,deep:r}),this.#r||this.#O()}catch(n){this.#g("html",n)}}#T(){if(!this.#p)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#f,e=performance.now();return this.#p.postMessage({question:t}),new Promise(s=>this.#u.set(t,{at:e,told:s}))}#S({question:t,now:e,isActive:s}){let o=this.#u.get(t);this.#u.delete(t),o&&typeof e=="number"&&(this.#d=Math.min(this.#d,e-o.at));let n=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#l-this.#d,isActive:s===!0,isKnown:n})}#L({pointedAt:t,typedAt:e,key:s,code:o,types:n}){typeof t=="number"&&(this.#l=Math.max(this.#l,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&y.pressed(this.element,{key:s,code:String(o),types:n===!0,at:Number(e)-this.#d})}#O(){this.#s=!1,this.#p?.postMessage({ping:++this.#i}),this.#I(0)}#I(t){let e=performance.now()+oe;this.#m=setTimeout(()=>{if(this.#s)return this.#R();let s=t+(performance.now()-e>fs?ms:1);s>=this.#o?this.#g("unresponsive"):this.#I(s)},oe)}#R(){this.#m=setTimeout(()=>this.#O(),ds)}#M(t){if(!this.bucket.take())return this.#g("flood",{count:2*this.options.limits.burst});this.#r||t===null||typeof t!="object"||(this.#s=!0,t.event==="navigated"||t.event==="flood"?this.#g(t.event,{count:Number(t.count)}):t.event==="told"?this.#S(t):t.event==="pressed"?this.#L(t):typeof t.event=="string"?this.#C(t):"message"in t&&this.#N(t))}#N({message:t,gesture:e,hasFocus:s}){let o=performance.now();this.#n=Math.max(this.#n,o+y.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#n}),this.#h||this.#A()}#_(){this.#n=0;for(let t of this.#a)t.until=0;this.#A()}#A(){for(this.#h=!1;!this.#r&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#A(),t);return}let[{message:e,gesture:s}]=this.#a.splice(0,1);this.handlers.message(e,s)}}#C(t){t.event==="loaded"&&(this.#o=ne,this.#T()),this.handlers.event(t)}};function gs({url:i,origin:t,around:e=t}){let s=URL.canParse(i)?new URL(i):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}function ws(){let i=crypto.getRandomValues(new Uint8Array(16));return Array.from(i,t=>t.toString(16).padStart(2,"0")).join("")}var W=class{#t=null;#e=[];#i=0;#s=0;#o=0;#r=!1;#n=!1;#a;#h=[];constructor(t,e,s,o){this.socket=t,this.view=e,this.opening=s,this.handlers=o}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#s})}else this.#e=[],this.#i=this.#s=this.#o=0,this.#r=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#r=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#i;return this.#e.push({n:s,frame:t}),this.#e.length>2e3?this.#w("overflow","The host did not answer for too long."):this.#r&&this.socket.send({...t,view:this.view,n:s}),!0}async ask(t,e,s){let o=n=>this.#n||this.send({answer:e,value:n});o(await t.ask(e,s,()=>o("seen")))}close(){this.#n||(this.#n=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#n||(t.mount?this.#c(t.mount):t.error?this.#w(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#u(t.resumed):t.got!==void 0?this.#f(t.got):t.n===this.#s+1&&this.#l(t))}#c(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#u(t){this.#f(t),this.#r=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#f(t){let e=this.#e.findIndex(s=>s.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#l(t){if(this.#s=t.n,this.#s-this.#o>=32?this.#d():this.#a??=setTimeout(()=>this.#d(),1e3),t.body===void 0)return this.#p(t);let e=this.#g(t.body);t.free?e.then(s=>this.#n||this.handlers.frame(s),()=>{}):this.#p(e)}#d(){clearTimeout(this.#a),this.#a=void 0,!(this.#n||!this.#r)&&(this.#o=this.#s,this.socket.send({view:this.view,got:this.#s}))}#p(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#m()}async#m(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#n)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#g(t){try{return{bytes:await re(new URL(t,this.socket.base).href)}}catch(e){throw this.#w("body",e instanceof Error?e.message:String(e)),e}}#w(t,e){this.#n||(this.close(),this.handlers.failed(t,e))}},bs=4,xs=500;async function re(i){for(let t=1;;t++){try{let e=await fetch(i,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=bs)throw e}await new Promise(e=>setTimeout(e,xs*2**(t-1)))}}async function G(i){return new TextDecoder().decode(await re(i))}var ys=new Map([...Object.entries(Vt).map(([i,t])=>[t,i]),...Object.entries(Yt)]),vs={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},K=class{#t=!1;#e;#i;#s=[];constructor(t,e,s,o){this.packet=t,this.channel=e,this.stage=s,this.limits={...A,...t.limits},this.methods=new Set(t.methods??[]),this.#i=t.first??[],this.handlers={message:(n,r)=>this.#u(n,r),event:n=>this.#c(n),ended:(n,r)=>this.#a(n,r)},this.frame=o??this.#o(),this.frame.element.title=t.title||t.tool||"App"}#o(){let{sandbox:t,frame:e}=this.packet,s=G(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:o}=this.stage.context();return new L({sandbox:t,frame:e,limits:this.limits,theme:o,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#n(t.message)||this.frame.post(t.message):this.stage.act(t)}#r(){for(let t of this.#i.splice(0))this.#s.push(JSON.stringify(t)),this.frame.post(t)}#n(t){return this.#s.length>0&&this.#s[0]===JSON.stringify(t)&&this.#s.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:vs[t]}#c(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();As.includes(t.event)&&this.channel.send(Is(t))}#u(t,e){if(pt(t,this.limits)||!ut(t))return;let s=ys.get(t.method)??t.method;if(s==="ui/initialize"&&t.id!==void 0)return this.#f(t);if(s==="ping"&&t.id!==void 0)return this.#p(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#r();if(s==="ui/notifications/size-changed")return this.#l(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#m(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let o=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...o})&&t.id!==void 0&&this.#m(t.id,-32600,"The message is too large")}#f({id:t,params:e={}}){let{initialize:s,limits:o}=this.packet,n={...this.stage.context()},r={...n.containerDimensions};r.height===void 0&&o?.maxHeight&&(r.maxHeight=o.maxHeight),n.containerDimensions=r;let a={...s,hostContext:{...s.hostContext,...n}};_t.includes(e.protocolVersion)||(a.hostCapabilities=ks(s)),this.#p(t,this.packet.profile?Ss(a,this.packet.profile):a),this.#t||this.report("initialize",{params:e,context:n}),this.#t=!0,this.stage.shown()}#l(t){let e=this.#e!==void 0;this.#d={...e?this.#d:{},...Ts(t,this.limits.maxHeight??6e3)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#d),this.report("size",this.#d)}))}#d={};#p(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#m(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Es=1e4;function Ts(i,t){let e={};for(let[s,o]of[["width",Es],["height",t]]){let n=i?.[s];typeof n=="number"&&n>=0&&(e[s]=Math.min(Math.ceil(n),o))}return e}function ks({hostCapabilities:i,hostContext:t}){let e=Object.entries(Jt).filter(([,s])=>s in i);return{...i,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function Ss({hostContext:i,...t},{context:e,withoutContext:s,omits:o}){let n=(r,a)=>Object.fromEntries(Object.entries(r).filter(([h])=>!a.includes(h)));return n({...t,hostContext:{...n(i,s),...e}},o)}var As=["violation","error","console"],Os=["event","message","directive","blocked","level"];function Is(i){let t=Os.filter(s=>typeof i[s]=="string"),e=Number.isSafeInteger(i.line)&&i.line>0?{line:i.line}:{};return{...Object.fromEntries(t.map(s=>[s,i[s].slice(0,500).toWellFormed()])),...e}}var w=new URL(".",import.meta.url).href,Ls="cloche.1",Rs=250,Ms=1e4,Ns=1e3,ae=new Map;function R(i=w){let t=ae.get(i);if(t)return t;let e=new gt(i);return ae.set(i,e),e}var gt=class{#t=new Map;#e=0;#i=null;#s=0;#o;constructor(t){this.base=t;let e=()=>{this.#o!==void 0&&!document.hidden&&this.#a()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>s||this.#r())}get isOpen(){return this.#i?.readyState===WebSocket.OPEN}open(t,e){let s=new W(this,++this.#e,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#i&&this.#o===void 0&&this.#a(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#n(),Ns)}send(t){this.#i?.send(JSON.stringify(t))}#r(){if(this.isOpen)for(let t of this.#t.keys())this.send({close:t})}#n(){clearTimeout(this.#o),this.#o=void 0;let t=this.#i;this.#i=null,t?.close(1e3)}#a(){clearTimeout(this.#o),this.#o=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Ls);this.#i=t,t.onopen=()=>{this.#s=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#c(e),t.onclose=e=>this.#i===t&&this.#h(e)}#h(t){if(this.#i=null,this.#t.size===0)return;this.#s+=1;for(let s of[...this.#t.values()])s.disconnected(this.#s,t.reason);let e=Math.min(Ms,Rs*2**(this.#s-1));this.#o=setTimeout(()=>this.#a(),e*(.75+Math.random()/2))}#c(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var he=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
   defines none. Nothing else names a colour. */
:where(:root) {
  color-scheme: light dark;
  --color-background-primary: light-dark(#ffffff, #1c1c1e);
  --color-background-secondary: light-dark(#f5f5f4, #2a2a2d);
  --color-background-tertiary: light-dark(#ececea, #363639);
  --color-background-inverse: light-dark(#1c1c1e, #f5f5f4);
  --color-background-ghost: light-dark(#ffffff00, #1c1c1e00);
  --color-background-info: light-dark(#e8f0fe, #1b2a44);
  --color-background-danger: light-dark(#fdecea, #44201d);
  --color-background-success: light-dark(#e6f4ea, #16301f);
  --color-background-warning: light-dark(#fef5e0, #3b2f12);
  --color-background-disabled: light-dark(#f5f5f4, #2a2a2d);
  --color-text-primary: light-dark(#1a1a19, #f2f2f0);
  --color-text-secondary: light-dark(#5c5c58, #b0b0ab);
  --color-text-tertiary: light-dark(#6f6f6a, #9a9a95);
  --color-text-inverse: light-dark(#ffffff, #1a1a19);
  --color-text-ghost: light-dark(#5c5c58, #b0b0ab);
  --color-text-info: light-dark(#1d4fb8, #9cc0ff);
  --color-text-danger: light-dark(#b3261e, #ff8a80);
  --color-text-success: light-dark(#1b6e37, #7fd99b);
  --color-text-warning: light-dark(#7a5200, #f2c14e);
  --color-text-disabled: light-dark(#8e8e89, #77777a);
  --color-border-primary: light-dark(#d6d6d2, #48484d);
  --color-border-secondary: light-dark(#e6e6e3, #3a3a3e);
  --color-border-tertiary: light-dark(#efefed, #303034);
  --color-border-inverse: light-dark(#3a3a3e, #d6d6d2);
  --color-border-ghost: light-dark(#d6d6d200, #48484d00);
  --color-border-info: light-dark(#9dbdf7, #345a9c);
  --color-border-danger: light-dark(#b3261e, #ff8a80);
  --color-border-success: light-dark(#8ccda0, #2f6b44);
  --color-border-warning: light-dark(#e2bd62, #7d6224);
  --color-border-disabled: light-dark(#e6e6e3, #3a3a3e);
  --color-ring-primary: light-dark(#2f6fde, #7fb0ff);
  --color-ring-secondary: light-dark(#8e8e89, #8e8e93);
  --color-ring-inverse: light-dark(#ffffff, #1c1c1e);
  --color-ring-info: light-dark(#2f6fde, #7fb0ff);
  --color-ring-danger: light-dark(#b3261e, #ff8a80);
  --color-ring-success: light-dark(#1b6e37, #7fd99b);
  --color-ring-warning: light-dark(#9a6a00, #f2c14e);
  --font-sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --font-mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --font-weight-normal: 400;
  --font-weight-medium: 500;
  --font-weight-semibold: 600;
  --font-weight-bold: 700;
  --font-text-xs-size: 12px;
  --font-text-xs-line-height: 16px;
  --font-text-sm-size: 13px;
  --font-text-sm-line-height: 20px;
  --font-text-md-size: 14px;
  --font-text-md-line-height: 21px;
  --font-text-lg-size: 16px;
  --font-text-lg-line-height: 24px;
  --font-heading-xs-size: 13px;
  --font-heading-xs-line-height: 18px;
  --font-heading-sm-size: 14px;
  --font-heading-sm-line-height: 20px;
  --font-heading-md-size: 16px;
  --font-heading-md-line-height: 22px;
  --font-heading-lg-size: 18px;
  --font-heading-lg-line-height: 24px;
  --font-heading-xl-size: 21px;
  --font-heading-xl-line-height: 28px;
  --font-heading-2xl-size: 26px;
  --font-heading-2xl-line-height: 32px;
  --font-heading-3xl-size: 32px;
  --font-heading-3xl-line-height: 40px;
  --border-radius-xs: 2px;
  --border-radius-sm: 4px;
  --border-radius-md: 6px;
  --border-radius-lg: 8px;
  --border-radius-xl: 12px;
  --border-radius-full: 9999px;
  --border-width-regular: 1px;
  --shadow-hairline: 0 0 0 1px light-dark(#0000000f, #ffffff14);
  --shadow-sm: 0 1px 2px light-dark(#0000001a, #00000066);
  --shadow-md: 0 2px 8px light-dark(#0000001f, #00000080);
  --shadow-lg: 0 8px 24px light-dark(#00000029, #00000099);
}
`;var V=Object.fromEntries(he.split(`
`).filter(i=>i.startsWith("  --")).map(i=>i.slice(2,-1).split(": ")));var Cs=300;function M(i){let t=i.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(i).colorScheme,s=document.querySelector("meta[name=color-scheme]"),o=(e==="normal"?s?.content??"":e).split(" "),[n,r]=[o.includes("light"),o.includes("dark")];return n&&r?ce().matches?"dark":"light":n||r?r?"dark":"light":Us(Ds(i))?"dark":"light"}function ce(){return matchMedia("(prefers-color-scheme: dark)")}function Ds(i){for(let t=i;t;t=t.parentElement??Ps(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function Ps(i){let t=i.getRootNode();return t instanceof ShadowRoot?t.host:null}function Us(i){let[t,e]=i.split("("),[s,o,n]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*o+.114*n)/r<.5}function js(i){let t=getComputedStyle(i);return Object.fromEntries(Object.entries(V).map(([e,s])=>{let o=t.getPropertyValue(e).trim();return[e,o&&o.length<=Cs?o:s]}))}function J(i,{displayMode:t,width:e,height:s}){return{theme:M(i),styles:{variables:js(i)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:i.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function le(i,t){let e=Object.entries(t).filter(([s,o])=>JSON.stringify(o)!==JSON.stringify(i[s]));return Object.fromEntries(e)}function Y(i){let t=new MutationObserver(i);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=ce();return e.addEventListener("change",i),()=>{t.disconnect(),e.removeEventListener("change",i)}}var Fs="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",qs=1e3,X=new Map,wt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=G(new URL(t.html,w).href)}frame(t,e,s){let{sandbox:o,frame:n}=this.packet,r={...A,...this.packet.limits};return new L({sandbox:o,frame:n,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new N(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let o=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,n=o?s:new N(this,this.html,e);return o?n.frame.show(t,this.html,e):n.frame.start(t),n}shown(){setTimeout(()=>this.renew(),qs)}remove(){this.#e=!0,this.#t?.frame.remove()}},N=class{#t=[];#e;constructor(t,e,s="light"){this.early=t.packet.early,this.frame=t.frame(e,s,{message:(o,n)=>this.#i(r=>r.message(o,n)),event:o=>{o.event==="loaded"&&t.shown(),this.#i(n=>n.event(o))},ended:(o,n)=>this.#i(r=>r.ended(o,n))})}static open(t,e,s){let o=X.get(t??"");return o?.packet.early?o.show(e,s):null}#i(t){this.#e?t(this.#e):this.#t.push(()=>this.#e&&t(this.#e))}handOver(t){this.#e=t;for(let e of this.#t.splice(0))e()}},Q=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#i=[];#s;#o=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=Fs,this.#e=R(w).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#n(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#s&&this.#r(this.#s);for(let t of this.#i.splice(0))t.remove();this.#e?.close(),this.#e=null}#r(t){t.remove(),X.get(t.packet.view)===t&&X.delete(t.packet.view)}#n(t){let e=this.#s=new wt(t,this.#o);J(this,{displayMode:"inline",width:0}),X.set(t.view,e),e.html.catch(()=>this.#r(e)),this.#a(e,Promise.resolve(""),s=>{this.#i=[s],e.renew(),this.#a(e,e.html,o=>{o.remove(),this.#t()})})}#a(t,e,s){let o=t.frame(e,"light",{message:()=>{},event:({event:n})=>n==="loaded"&&s(o),ended:()=>this.#t()});this.#i.push(o),o.start(this.#o)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Q);var zs="cloche.sign-in";function de(i){let t=new BroadcastChannel(zs);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&i(e)},()=>t.close()}var pe=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
:host {
  display: block;
  position: relative;
  min-width: 0;
  margin-block: 8px;
}
:host([hidden]) {
  display: none;
}
:host([theme="dark"]) {
  color-scheme: dark;
}
:host([theme="light"]) {
  color-scheme: light;
}

.panel {
  all: unset;
  box-sizing: border-box;
  position: relative;
  display: grid;
  grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
  width: 100%;
  overflow: clip; /* no scroller of its own: a question sticks to the window */
  border-radius: var(--border-radius-lg);
  color: var(--color-text-primary);
  font: var(--font-text-md-size)/var(--font-text-md-line-height) var(--font-sans);
}
.panel.bordered {
  border: var(--border-width-regular) solid var(--color-border-primary);
}
.panel.large {
  position: fixed;
  inset: 0;
  width: 100vw;
  height: 100dvh;
  border: 0;
  border-radius: 0;
  background: var(--color-background-primary);
}
.panel::backdrop {
  background: var(--color-background-primary);
}

.bar {
  display: flex;
  align-items: center;
  min-width: 0;
  border-bottom: var(--border-width-regular) solid var(--color-border-primary);
  background: var(--color-background-secondary);
}
.panel:not(.bordered, .large) > .bar {
  border-bottom: 0;
  background: none;
}
.panel:not(.large) > .bar :is(.name, .leave) {
  display: none;
}
.large > .bar {
  gap: 12px;
  padding: 4px 8px 4px 16px;
}
.whose {
  flex: 1;
  min-width: 0;
}
.name {
  display: block;
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
  font-weight: var(--font-weight-semibold);
}
.origin {
  display: flex;
  align-items: center;
  gap: 6px;
  min-width: 0;
  padding: 4px 12px;
  font-size: var(--font-text-xs-size);
  line-height: var(--font-text-xs-line-height);
  color: var(--color-text-secondary);
}
.panel:not(.bordered, .large) .origin {
  padding-inline: 0;
}
.large > .bar .origin {
  padding: 0;
}
.origin > svg {
  flex: none;
  width: 12px;
  height: 12px;
}
.origin > span {
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
}
.origin strong {
  font-weight: var(--font-weight-medium);
  color: var(--color-text-primary);
}

.stage,
.loading,
.problem,
.shade {
  grid-area: 2 / 1;
}
.stage {
  height: var(--height, 150px);
}
.large > .stage {
  height: auto;
}
[hidden] {
  display: none !important;
}
/* Neither seen nor touched, and painted all the same: a browser gives a hidden frame less of its time. */
.stage[data-covered] > iframe {
  opacity: 0;
  pointer-events: none;
}
.stage > iframe {
  display: block;
  width: 100%;
  height: 100%;
  border: 0;
  color-scheme: inherit;
}

.note {
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  gap: 12px;
  padding: 16px;
  background: var(--color-background-secondary);
}
.note > svg {
  flex: none;
  width: 16px;
  height: 16px;
  margin-top: 2px;
}
.note > div {
  flex: 1 1 220px;
  min-width: 0;
  overflow-wrap: anywhere;
}
.note p {
  margin: 0;
}
.note p + p {
  color: var(--color-text-secondary);
}
.problem > svg,
.danger {
  color: var(--color-text-danger);
}
.loading {
  z-index: 1;
  align-items: center;
  color: var(--color-text-secondary);
}
.loading > div {
  flex-basis: 0;
}
.loading > svg {
  margin: 0;
  animation: turn 1s linear infinite;
}
@keyframes turn {
  to {
    transform: rotate(360deg);
  }
}
@media (prefers-reduced-motion: reduce) {
  .loading > svg {
    animation: none;
  }
}

.lost {
  grid-area: 3 / 1;
  padding: 4px 16px;
  border-top: var(--border-width-regular) solid var(--color-border-warning);
  background: var(--color-background-warning);
  color: var(--color-text-warning);
  font-size: var(--font-text-xs-size);
}

.over {
  all: unset;
  position: fixed;
  inset: 0;
  color: var(--color-text-primary);
  font: var(--font-text-md-size)/var(--font-text-md-line-height) var(--font-sans);
}
.over:not([open]) {
  display: none;
}
.over > .shade {
  position: absolute;
  inset: 0;
}

.shade {
  z-index: 2;
  display: flex;
  align-items: center;
  justify-content: center;
  padding: 12px;
  background: color-mix(in srgb, var(--color-background-tertiary) 75%, transparent);
}
.large > .shade,
.over > .shade {
  overflow: auto;
}
.question {
  box-sizing: border-box;
  position: sticky;
  inset-block: 12px;
  width: min(100%, 440px);
  margin: auto;
  padding: 16px;
  border: var(--border-width-regular) solid var(--color-border-primary);
  border-radius: var(--border-radius-lg);
  background: var(--color-background-primary);
  box-shadow: var(--shadow-lg);
}
.question:focus {
  outline: none;
}
.question h2 {
  margin: 0 0 4px;
  font-size: var(--font-heading-md-size);
  line-height: var(--font-heading-md-line-height);
  font-weight: var(--font-weight-semibold);
  overflow-wrap: anywhere;
}
.question p {
  margin: 0 0 8px;
  color: var(--color-text-secondary);
  overflow-wrap: anywhere;
}
.question pre {
  box-sizing: border-box;
  max-height: 160px;
  margin: 0 0 8px;
  padding: 8px;
  overflow: auto;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  border-radius: var(--border-radius-sm);
  background: var(--color-background-secondary);
  font: var(--font-text-xs-size)/var(--font-text-xs-line-height) var(--font-mono);
}
.question .row {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px;
  margin-top: 12px;
}
.question .buttons {
  display: flex;
  flex-wrap: wrap;
  gap: 8px;
  margin-inline-start: auto;
}
.question .buttons > button {
  flex: 1 1 auto;
}
.question .time {
  flex: 1 1 auto;
  white-space: nowrap;
  font-size: var(--font-text-xs-size);
  color: var(--color-text-secondary);
  font-variant-numeric: tabular-nums;
}

button {
  flex: none;
  min-height: 32px;
  padding: 4px 12px;
  border: var(--border-width-regular) solid var(--color-border-primary);
  border-radius: var(--border-radius-md);
  background: var(--color-background-primary);
  color: var(--color-text-primary);
  font: inherit;
  cursor: pointer;
}
button:hover {
  background: var(--color-background-tertiary);
}
button:focus-visible {
  outline: 2px solid var(--color-ring-primary);
  outline-offset: 2px;
}
button.main {
  border-color: transparent;
  background: var(--color-background-inverse);
  color: var(--color-text-inverse);
}
button[aria-disabled="true"],
button.main[aria-disabled="true"] {
  border-color: var(--color-border-disabled);
  background: var(--color-background-disabled);
  color: var(--color-text-disabled);
  cursor: default;
}
@media (forced-colors: active) {
  button[aria-disabled="true"] {
    border-color: GrayText;
    color: GrayText;
  }
}
`;var Z;function tt(){return Z||(Z=new CSSStyleSheet,Z.replaceSync(pe.replaceAll(/var\((--[\w-]+)\)/g,(i,t)=>`var(${t}, ${V[t]})`))),Z}var $s="M8 2a6 6 0 1 1-6 6",Bs="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",Ws="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",Gs=400,et=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[tt()],this.name=c("span","name"),this.server=c("strong"),this.origin=c("span","origin",z(Ws),c("span",{},"App from ",this.server)),this.leave=c("button",{class:"leave",onclick:e.leave},"Leave full screen");let o=c("div","whose",this.name,this.origin);this.stage=c("div","stage"),this.loading=c("div",{class:"note loading",role:"status"},z($s),c("div",{},"Loading the app")),this.reason=c("p","danger"),this.hint=c("p"),this.retry=c("button",{onclick:e.retry},"Try again"),this.problem=c("div",{class:"note problem",role:"alert"},z(Bs),c("div",{},this.reason,this.hint),this.retry);let n="The connection is lost. Trying again; what you do here is kept.";this.lost=c("div",{class:"lost",role:"status"},n),this.panel=c("dialog",{class:"panel bordered",role:"group"},c("header","bar",o,this.leave),this.stage,this.loading,this.problem,this.lost),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:o,size:n,limits:r}){let a=String(t||e||"App");this.name.textContent=a,this.server.textContent=String(s??""),this.origin.hidden=!s,this.panel.setAttribute("aria-label",a),this.panel.classList.toggle("bordered",o!==!1),this.setHeight(n?.height??r?.firstHeight??Gs)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.panel.setAttribute("aria-busy",String(t==="loading")),this.reason.textContent="The app cannot be shown",this.hint.textContent=e?.message??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){g.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),this.panel.setAttribute("role",t?"dialog":"group"),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var m=class extends Error{code="APP_LOAD_FAILED"},E=class extends m{code="APP_DISCONNECTED"},U=class extends m{code="APP_TIMEOUT"},O=class extends m{code="ORIGIN_NOT_ALLOWED"};var T=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var ue=new URL("./app-frame.js",import.meta.url).href,st=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,s=bt(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let o=this.element.contentWindow,{document:n}=o,r=Object.assign(n.createElement("script"),{type:"module",src:ue}),a=bt(r,"load");n.head.append(r),await a,e.throwIfAborted(),this.#t=o.clocheAppFrame,o.addEventListener("message",this.handlers.received,{signal:e}),n.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let h=bt(this.frame,"load");h.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(n.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,n.body.append(this.frame),await h}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new m("The app was unloaded")),this.element.remove()}};function bt(i,t){return new Promise((e,s)=>{i.addEventListener(t,()=>e(),{once:!0}),i.addEventListener("error",()=>s(new m(`${ue} could not be loaded`)),{once:!0})})}var u=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},xt=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),j=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new u(-32001,t+": no answer")}request(t,e={},{id:s=xt(),timeout:o=6e4,signal:n,onProgress:r,transfer:a}={}){let h,l;return new Promise((d,f)=>{if(l=x=>{let F=this.unanswered(t,s,x&&n);f(F),this.notify("notifications/cancelled",{requestId:s,reason:String(F)})},n?.aborted)throw this.unanswered(t,s,n);n?.addEventListener("abort",l);let b=()=>{clearTimeout(h),h=o&&setTimeout(l,o)};this.pending.set(s,{resolve:d,reject:f,progress:x=>(b(),r?.(x))}),b(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(h),n?.removeEventListener("abort",l)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:o,error:n}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):n?r?.reject(Object.assign(new u,n)):r?.resolve(o),r}async answer({id:t,method:e,params:s},o){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let n=o(e);if(t==null)return n?.(s);let r=new AbortController;this.running.set(t,r);let a=h=>r.signal.aborted||this.post({id:t,...h});try{if(!n)throw new u(-32601,"Not available: "+e);a({result:await n(s,r.signal,t)??{}})}catch(h){a({error:{code:+h?.code||-32603,message:String(h?.message??h),data:h?.data}})}finally{this.running.delete(t)}}},it=class extends j{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:o={},result:n,error:r}=t;if(k(t,P)&&!p(e)&&p(s?o:r??(n===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new u(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,o)=>{if(P(o)||typeof o=="function")return o;throw new u(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var fe={name:"cloche",version:"1"},Ys=/^[a-z][a-z0-9-]{0,49}$/,ot=class extends T{state="loading";serverInfo=null;#t=new B(A);#e;#i;#s=new Map;#o=!1;#r=!1;#n=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=Qs(t.options,e),this.holder=new st(this.frame,e.url,{received:s=>this.#l(s),left:()=>this.#b(new O(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#b(new E(`${this.name}: The app went to another page`))}),this.iframe=Zs(this.holder.element,t.options,e),this.transport=new it(s=>this.#f(s),s=>this.#w(s),s=>t.failed(s)),this.#n.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,s=setTimeout(()=>this.#n.reject(new U(`${this.name}: no answer in ${e} ms${this.#c()}`)),e),o=this.holder.open(t);o.catch(()=>{});try{await Promise.race([o,this.#n.promise]),this.#a(),this.#h(e);for(let n of["focus","blur","focusin","focusout"])addEventListener(n,this.#u);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(s)}}#a(){this.#o=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#o&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#n.promise.catch(()=>{}).then(()=>this.#i||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#i=e,this.#e="transport",e.onMessage(s=>this.#d(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#b(new E(`${this.name}: the app closed the connection`))),this.#g())},()=>{}))}#c(){return this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}async connect(){if(await this.#n.promise,this.#e){let t={protocolVersion:Mt,capabilities:{},clientInfo:fe},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#n.reject(new E(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#u);this.#i?.close(),this.holder.close()}focus(){this.frame.focus(),this.#u()}#u=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#f(t){this.#t.answered(t),this.#i?this.#i.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#l({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#d(s,()=>me(s)?void this.transport.receive(s):this.#p(s))}#d(t,e){let s=this.#t.judge(me(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#b(new E(`${this.name}: The app sent too many messages`)):p(s)?this.#f({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#p(t){let{type:e,payload:s}=p(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=s?.serverInfo??null,this.#o&&this.#a(),this.#g()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#y(s):this.#m(typeof e=="string"?e:"message",s??t,t)}#m(t,e,s){this.tell(t,e),t!=="message"&&this.tell("message",s),this.host.options.onAppMessage?.(s),this.host.tell("message",{app:this,message:s})}#g(){this.state==="loading"&&(this.state="ready"),this.#n.resolve()}#w(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#v();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:o})=>this.#x(o);if(t==="tools/call"&&e)return o=>this.#E(o);if(t==="resources/read"&&s)return({uri:o})=>s(String(o));if(t==="ui/notifications/size-changed")return o=>this.#y(o);if(t.includes("notifications/"))return o=>this.#m(t,o,{method:t,params:o})}#v(){this.#g();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:Nt,hostInfo:fe,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#E({name:t,arguments:e={}}){if(typeof t!="string"||!p(e))throw new u(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new u(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#x(t){if(typeof t!="string"||!Ys.test(t))throw new u(-32602,"A permission has a short name");let e=this.#s.get(t)??this.host.mayUse(t,this.id);return this.#s.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||g.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,A.maxHeight??0)}px`)}}#b(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#n.reject(t),this.host.unload(this.id),this.host.failed(t))}},me=i=>p(i)&&i.jsonrpc==="2.0",Xs="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function Qs(i,t){let e=document.createElement("iframe");return ge(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),i.csp&&e.setAttribute("csp",i.csp),i.csp&&!("csp"in e)&&console.warn(Xs),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function Zs(i,t,e){ge(e,i,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),i.title||=e.name??e.id,Object.assign(i.style,t.style);for(let s of["width","height"]){let o=e[s];o!==void 0&&(i.style[s]=typeof o=="number"?`${o}px`:o)}return i}function ge({attributes:i={}},t,e){for(let s in i)e.test(s)&&t.setAttribute(s,i[s])}var ti=["allow-scripts"],ei=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i;function si(i){return new yt(i)}var yt=class extends T{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:ti,...t};let{container:e,allowedOrigins:s}=t,o=typeof e=="string"?document.querySelector(e):e;if(!(o instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=o,this.allowedOrigins=ii(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new O(`${e.origin} is not one of allowedOrigins`);let s=oi(t.sandbox??this.options.sandbox,e),o=t.id??`app-${++this.#e}`;if(this.#t.has(o))throw new m(`There is an app with the id ${o} already`);let n=new ot(this,{...t,id:o,url:e,sandbox:s});this.#t.set(o,n);try{await n.open(this.container)}catch(r){throw this.unload(o),this.failed(r),r}return this.tell("load",n),n}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,s){let{hitl:o}=this.options;return!o||o.neverConfirm?.includes(t)&&!o.alwaysConfirm?.includes(t)?!0:await this.#i(()=>o.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#i(()=>s({permission:t,app:e}))}async#i(t){let e=this.options.hitl?.confirmationTimeout??3e4,s=new Promise(o=>setTimeout(o,e,!1));try{return await Promise.race([t(),s])===!0}catch(o){return this.failed(o),!1}}};function ii(i){if(!Array.isArray(i)||i.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of i)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...i]}function oi(i,t){let e=i.find(o=>ei.test(o));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(i.includes("allow-same-origin")&&i.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return i}var St=3e4,ri=256;var _=class extends Error{constructor(t,e){super(t),this.code=e}},nt=class extends _{constructor(){super(Zt(),"TRANSPORT_CLOSED")}},Et=class extends _{constructor(t){super(Xt(t),"REQUEST_TIMEOUT")}},Tt=class extends _{constructor(t){super(Qt(t),"REQUEST_CANCELLED")}};function we(i,t=16777216,e=!0){let s=[],o=0,n="",r=!1,a=k(i,l=>{n={}.toString.call(l).slice(8,-1);let d=n=="ArrayBuffer";return r||=d,o+=(s.at(-1)?.length??0)+(n=="String"?l.length:d?l.byteLength:2),n=="Number"&&!isFinite(l)&&(n=""+l),o<=t&&(d?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(n))},s),h=o>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is no name":" is a "+n);return{length:o,hasBuffers:r,flaw:a?"":h}}var xe=i=>JSON.parse(JSON.stringify(i)),ye=i=>typeof i=="number"||typeof i=="string"&&i.length<1e3,ve=i=>"method"in i&&"id"in i;var ai=i=>p(i)&&i.jsonrpc=="2.0"&&ye(i.id??0)&&("method"in i?typeof i.method=="string"&&p(i.params??{}):"result"in i!=p(i.error)),kt=class extends j{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=xe(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new Tt(e):new Et(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},C=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#i=[];#s=!1;rpc=new kt(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#i.splice(0).forEach(this.#o),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:s=xt()},o){return this.rpc.request(t,e,{timeout:St,...o,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof u)return xe({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,o={...t,type:s+(t.method?":request":":response")};this.say(this.#s?o:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:o,...n}=t??{},{messageType:r}=this;s===r&&this.deliver(o),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#s=!0,this.deliver({...n,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=ai(t)?we(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!p(t)||!ye(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#o(t):this.#i.length<ri?this.#i.push(t):this.dropped++}violated(t){this.violations++,vt(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new nt),[...this.#e].forEach(vt))}release(){}#o=t=>{for(let e of[...this.#t])vt(()=>e(t))};verify(t){if(!this.isConnected)throw new nt;let{flaw:e,hasBuffers:s}=we(t,this.limit,this.carriesBuffers);if(e)throw new _("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function vt(i){try{await i()}catch(t){console.error(t)}}function hi(i){return new At(i)}var At=class{#t;#e;#i=!1;#s=new Set;#o=new T;#r=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:o}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new C,{post:n=>{let r=n.method?"mcp:notification":"mcp:response";this.#n(ve(n)?n:{type:r,payload:n})},farewell(){}}),s&&this.transport.serve(n=>async r=>{try{return await s(n,r)}catch(a){throw o?.(a),a}}),addEventListener("message",n=>this.#a(n))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#n({type:t,payload:e})}onMessage(t,e){return this.#o.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:St,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),o=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||o?!1:(this.#s.add(t),!0)}getPermissions(){return[...this.#s]}#n(t){for(let e of this.#r===null?this.options.allowedOrigins:[this.#r])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#r??=e,e!==this.#r||typeof s!="object"||s===null))return;let{type:o,payload:n,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):o==="mcp:request"?this.transport.deliver({...n,jsonrpc:"2.0"}):o==="app:init"?this.#h(n??{}):typeof o=="string"&&(o==="auth:refresh"&&this.#c(n),this.#o.tell(o,"payload"in s?n:s))}#h({data:t,authContext:e}){this.#i||(this.#i=!0,this.#c(e),this.#t=t,this.options.onInitialData?.(t))}#c(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var ci="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",li="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",di=50,Ot=class i extends HTMLElement{static origins=new Set([location.origin,new URL(w).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#i=null;#s=null;#o=null;#r=null;#n={};#a=[];#h;constructor(){super(),this.#t=new et(this,{retry:()=>this.reload(),leave:()=>this.#x("inline")});let{panel:t,stage:e}=this.#t;this.#e=new I(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#T());t.observe(this),this.#a=[Y(()=>this.#T()),()=>t.disconnect(),de(e=>this.#s?.report("sign-in",{query:e}))],this.#c()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#l(),this.#b("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#S();this.#r=null,this.reload()}}setDisplayMode(t){this.#s&&this.#E(t)}focus(){this.#s?.frame.focus()}reload(){this.#l(),this.isConnected&&this.#c()}#c(){if(!this.#r&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#f())return this.#y("arguments","The attribute arguments is not a JSON object.");let t=this.#u();if(t===null)return this.#y("base",ci);this.#b("loading");let e=M(this);this.#t.setTheme(e),this.#o=t===w?N.open(this.getAttribute("view"),this.#t.stage,e):null;let s=!0;this.#i=R(t).open(()=>this.#d(),{mounted:o=>this.#p(o),frame:o=>this.#s?this.#s.receive(o):this.#w(o),waiting:o=>this.#t.setWaiting(o&&this.#s!==null),failed:(o,n)=>{if(o==="gone"&&s&&this.#s)return s=!1,void this.reload();this.#y(o,n)}})}#u(){let t=this.getAttribute("base");if(!t)return w;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&i.origins.has(s.origin)?s.href:null}#f(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return p(t)?t:null}catch{return null}}#l(){g.forget(this),this.#e.clear(),this.#s?.remove(),this.#o?.frame.remove(),this.#s=this.#o=null,this.#x("inline"),this.#i?.close(),this.#i=null,this.#t.setWaiting(!1)}#d(){this.#o||(this.#n=this.#k());let t={context:this.#o?{}:this.#n,origin:location.origin},e=this.#r??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#f(),...t}}async#p(t){let{leaky:e}=t,s=e?.do==="refuse";if(s||this.#m(t),!e)return;let o=this.#i,n=await(s?dt:Kt)(e.probe,this.#t.stage);!o||o!==this.#i||(n&&o.send({event:"leaky",refused:s}),s&&(n?this.#y("leaky",li):this.#m(t)))}#m(t){let e=this.#i;if(!e)return;this.#r=t.ticket??this.#r,this.#t.describe(t),this.#o&&(this.#n=this.#k());let s=this.#g(t.early);this.#s=new K(t,e,{shown:()=>this.#b("ready"),resized:({height:o})=>o===void 0||this.#t.setHeight(o),ended:(o,n)=>this.#y(o,n),escaped:()=>this.#e.isOpen||this.#x("inline"),act:o=>this.#w(o),context:()=>this.#n},s?.frame),s?s.handOver(this.#s.handlers):this.#s.frame.start(this.#t.stage)}#g(t){let e=this.#o;return this.#o=null,e?.early===t?e:(e?.frame.remove(),null)}#w(t){t.ask!==void 0?this.#i?.ask(this.#e,t.ask,t.question):t.unask!==void 0?this.#e.unask(t.unask):t.do==="open-link"?this.#v(t.url):t.do==="display-mode"?this.#E(t.mode,!0):t.do==="download"?Ut(t.files,()=>this.#s?.report("error",{message:"download"})):t.do==="remove"&&(this.#l(),this.#b("closed"))}async#v(t){let e=Dt(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,o={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#e.ask(e,o))&&Pt(e)}#E(t,e=!1){g.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&y.isWriting);this.#x(s?"fullscreen":"inline")})}#x(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#s?.frame.focus(),this.#S()),this.#s?.report("display-mode",{mode:t})}#y(t,e){this.error={code:t,message:e},this.#l(),this.#b("error")}#b(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#k(){return J(this,{displayMode:this.displayMode,...this.#t.room()})}#T(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#S()},di)}#S(){this.#t.setTheme(M(this));let t=this.#k(),e=le(this.#n,t);this.#n=t,!(!this.#s||Object.keys(e).length===0)&&(e.theme&&this.#s.frame.setTheme(t.theme),this.#s.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",Ot);var Ee="mcp:",Te=(i,t,e=t)=>new Promise((s,o)=>{let n=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(Ee+i,{signal:e},n).catch(o)}),ke=(i,t,e)=>{navigator.locks.request(Ee+i,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var rt=class extends C{constructor(t=self,e){super(e),this.target=t.port??t;let s=(o,n)=>this.target.addEventListener(o,n,this.over);s("message",({data:o})=>this.take(o)),s("close",()=>this.ended()),t.addEventListener("error",({message:o})=>o||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Te(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):ke(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var It=class{stopWatching=()=>{};constructor(){this.host=c("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[tt()],this.panel=c("dialog",{class:"over",role:"presentation"});let e=c("div");t.append(this.panel),this.dialog=new I(this.panel,e,()=>{}),this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.refuse.click()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}async ask(t,e,s){this.host.isConnected||document.body.append(this.host);let o=this.dialog.ask(t,e,s);this.panel.open||(this.#t(),this.stopWatching=Y(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let n=await o;return this.dialog.shade.hidden&&this.#e(),n}unask(t){this.dialog.unask(t)}#t(){this.panel.style.colorScheme=M(document.body)}#e(){this.stopWatching(),this.panel.close(),this.host.remove()}},pi;function Lt(){return pi??=new It}var Se="notifications/initialized",at=class{#t=new Map;#e=0;#i=null;#s=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:o}=t;if(s===Se&&this.#s||(s===Se&&(this.#s=!0),s==="initialize"&&this.#o(e)))return;if(s==="notifications/cancelled")return this.#r(t);if(!s||e===void 0)return this.toServer(t);let n=++this.#e,r=o?._meta?.progressToken;this.#t.set(n,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?o:{...o,_meta:{...o._meta,progressToken:n}};this.toServer({...t,id:n,...a?{params:a}:{}})}#o(t){this.#i&&this.toHost({...this.#i,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#i!==null||e!==void 0}#r(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress")return this.#n(t);if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#i=t),this.toHost({...t,id:e.id}))}#n(t){let e=this.#t.get(t.params?.progressToken);e&&this.toHost({...t,params:{...t.params,progressToken:e.token}})}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};function bn(i){return new Rt(i)}var Rt=class extends EventTarget{state="connecting";error=null;#t=null;#e="";#i=!1;#s;#o=[];#r=new AbortController;constructor({ticket:t,transport:e,base:s=w}){super(),this.transport="onMessage"in e?e:new rt(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#s=new at(o=>this.#c(o),o=>this.#u(o)),this.#o=[this.transport.onMessage(o=>this.#s.fromServer(o)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#f,this.#r),addEventListener("focus",this.#f,this.#r),this.#n()}close(){this.#l("closed",null)}async#n(){this.#i=!1;try{this.#e=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(t){return this.#l("error",{code:"ticket",message:`There is no ticket: ${t}`})}this.state!=="closed"&&(this.#t=R(this.base).open(()=>({offer:this.#e,visible:!document.hidden}),{mounted:()=>{this.#i=!0,this.error=null,this.#d("offered")},frame:t=>this.#h(t),failed:(t,e)=>this.#a(t,e)}))}#a(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#d("connecting");let s=this.#i;if(this.#t?.close(),this.#t=null,this.#s.forget(),t!=="gone"||!s)return this.#l("error",{code:t,message:e});this.#d("connecting"),this.#n()}#h(t){t.bytes?this.#s.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s.fromHost(t.message):t.ask!==void 0?this.#t?.ask(Lt(),t.ask,t.question):t.unask!==void 0&&Lt().unask(t.unask)}#c(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#s.fromServer(Ae(t.id,`${e}`))}}#u(t){!this.#i||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Ae(t.id,"The answer is longer than the host takes")})}#f=()=>{!document.hidden&&this.#i&&this.#t?.send({event:"visible"})};#l(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#o.splice(0))s();this.#r.abort(),this.#s.forget(),this.#t?.close(),this.#t=null,this.error=e,this.#d(t)}}#d(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Ae=(i,t)=>({jsonrpc:"2.0",id:i,error:{code:-32603,message:t}});export{E as AppConnectionError,m as AppLoadError,U as AppTimeoutError,Ot as McpApp,Q as McpAppPreload,Rt as OfferedServer,O as OriginNotAllowedError,hi as createAppChild,si as createAppHost,bn as offerServer};
