var Nt="2025-11-25",_t="2026-01-26",Ct=["2026-01-26","2025-11-21"];var u=i=>({}).toString.call(i)=="[object Object]",P=i=>u(i)||Array.isArray(i)||Object(i)!==i&&typeof i!="bigint",k=(i,t,e=[],s=0)=>t(i)&&(Object(i)!==i||s<256&&Object.keys(i).every(o=>(e.splice(s,256,o),o!="__proto__"&&k(i[o],t,e,s+1))));function Pt(i){let t=typeof i=="string"&&URL.canParse(i)?new URL(i):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function Ut(i){globalThis.open(i.href,"_blank","noopener,noreferrer")}var Ie=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Dt=120;function Le(i){let s=(String(i??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),o=/\.[^.]{1,16}$/.exec(s)?.[0]??"",n=s.length>Dt?s.slice(0,Dt-o.length).trimEnd()+o:s;return!n||Ie.test(n)?`download${n&&"-"}${n}`:n}function jt(i,t){for(let e of i){let s=Re(e);s?Me(s,Le(e.name)):t?.(e)}}function Re({text:i,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof i=="string")return new Blob([i],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),o=>o.charCodeAt(0))],{type:s})}catch{return null}}function Me(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var ht=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(s=>[...s.values()]);this.#e.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let o=this.#e.get(t)??new Map;o.delete(e),this.#e.set(t,o.set(e,s))}forget(t){this.#e.delete(t)}},Ne=globalThis,_e=Symbol.for("cloche.calm"),g=Ne[_e]??=new ht;var q=class{#t=0;#e=0;#i=!1;#s=!1;#o="";#n=0;#r=new Set;#a;#h;constructor(t,e,s,o){this.shade=t,this.box=e,this.buttons=s,this.changed=o}start(){this.stop(),this.#o="",this.#s=!1,this.#d(),this.changed(!1),this.#c(),this.#g(),this.#f()}stop(){this.#i=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#n)}counts(t){return this.#l(),t.isTrusted&&this.#i}#c(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#d();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#p(),e),this.shade.addEventListener("keydown",o=>this.#m(o),e);for(let o of["pointerup","pointercancel","keyup"])addEventListener(o,()=>this.#w(),e);addEventListener("pointermove",o=>o.buttons===0&&this.#w(),e)}#g(){if(this.#r.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:100,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:o,target:n}=s;o?this.#r.delete(n):this.#r.add(n)}},t);for(let e of this.#x())this.#r.add(e),this.#h.observe(e)}#f(){this.#n=requestAnimationFrame(()=>{this.#l(),this.#f()})}#l(){let t=this.#x(),e=[this.box,...t].map(Ce).join(),s=e===this.#o;if(this.#o=e,!s||this.#s||!this.#T(t))return this.#d();let o=performance.now();this.#t+=Math.min(o-this.#e,100),this.#e=o,!this.#i&&this.#t>=700&&this.#u(!0)}#d(){this.#t=0,this.#e=performance.now(),this.#i&&this.#u(!1)}#u(t){this.#i=t,this.changed(t)}#p(){this.#l(),this.#i||(this.#s=!0)}#m(t){this.#l();let e=t.key==="Enter"||t.key===" ";this.#i&&!(e&&t.repeat)||(this.#s=!0,this.#d())}#w(){this.#s&&(this.#s=!1,this.#d())}#x(){return this.buttons.filter(t=>!t.hidden)}#T(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(De)&&t.every(s=>this.#y(s))}#y(t){return Pe(t)&&(!this.#r.has(t)||Ue(t))}};function Ce(i){let{x:t,y:e,width:s,height:o}=i.getBoundingClientRect();return`${t} ${e} ${s} ${o}`}function De(i){let{left:t,top:e,right:s,bottom:o,width:n}=i.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:h,height:l}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return n>0&&t>=r-1&&e>=a-1&&s<=r+h+1&&o<=a+l+1}function Pe(i){let{left:t,top:e,right:s,bottom:o}=i.getBoundingClientRect(),[n,r]=[(t+s)/2,(e+o)/2],a=i.getRootNode();return[[n,r],[t+2,r],[s-2,r],[n,e+2],[n,o-2]].every(([l,d])=>a.elementFromPoint(l,d)===i)}function Ue(i){for(let t=i;t;t=je(t)){let{opacity:e,filter:s,transform:o}=getComputedStyle(t);if(e!=="1"||s!=="none"||o!=="none")return!0}return!1}function je(i){if(i.assignedSlot)return i.assignedSlot;let t=i.getRootNode();return i.parentElement??(t instanceof ShadowRoot?t.host:null)}function c(i,t={},...e){let s=document.createElement(i);for(let[o,n]of Object.entries(typeof t=="string"?{class:t}:t))o in s&&!o.includes("-")?Reflect.set(s,o,n):n!==""&&s.setAttribute(o,n);return s.append(...e.filter(o=>o!=null&&o!==!1)),s}var Ft="http://www.w3.org/2000/svg";function z(i){let t=document.createElementNS(Ft,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(Ft,"path"),s={d:i,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[o,n]of Object.entries(s))e.setAttribute(o,n);return t.append(e),t}var Fe=0,I=class{#t=[];#e;#i;#s=!1;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let o=`cloche-question-${++Fe}`;this.title=c("h2",{id:`${o}-title`}),this.text=c("p",{id:`${o}-text`}),this.details=c("pre",{tabIndex:0}),this.time=c("span",{class:"time",role:"timer"}),this.refuse=c("button",{class:"refuse",onclick:()=>this.#l(!1)}),this.lasting=c("button","lasting"),this.accept=c("button","accept main");let n=c("div","row",this.time,c("span","buttons",this.refuse,this.lasting,this.accept)),{title:r,text:a,details:h}=this,l={"aria-modal":"true","aria-labelledby":r.id,"aria-describedby":a.id};this.box=c("div",{class:"question",role:"alertdialog",tabIndex:-1,...l},r,a,h,n),this.shade=c("div",{class:"shade",hidden:!0},this.box),this.#o=new q(this.shade,this.box,[this.lasting,this.accept],d=>this.#r(d)),this.accept.addEventListener("click",d=>this.#o.counts(d)&&this.#l(!0)),this.lasting.addEventListener("click",d=>this.#o.counts(d)&&this.#l("page")),this.shade.addEventListener("keydown",d=>this.#g(d)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(o=>{this.#t.push({key:t,question:e,resolve:o,seen:s}),this.#t.length===1&&this.#n()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);e===0?this.#l(!1):e>0&&this.#t.splice(e,1)[0].resolve(!1)}clear(){for(let{resolve:t}of this.#t.splice(1))t(!1);this.#t.length>0&&this.#l(!1)}get isOpen(){return this.#t.length>0}#n(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=ze(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.#i=void 0,this.shade.hidden=!1,g.begin(this),this.#h(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#a(),250),this.#a()}#r(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#i!==void 0||(this.#i=performance.now()+qt(e.question)*1e3,e.seen())}#a(){if(this.#t.length===0)return;let t=qt(this.#t[0].question),e=this.#i===void 0?t:(this.#i-performance.now())/1e3;if(e<=0)return this.#l(null);this.time.textContent=`No answer means no: ${String(Math.ceil(e)).padStart(String(t).length,qe)} s`}#h(){let t=this.#c(),e=t.activeElement!==null;this.#s||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#c(){return this.panel.getRootNode()}#g(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.#l(!1)):t.key==="Tab"&&this.#f(t)}#f(t){let e=[this.details,this.refuse,this.lasting,this.accept].filter(r=>!r.hidden),s=this.#c(),o=e.findIndex(r=>r===s.activeElement),n=o<0?t.shiftKey?e.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),e[(n+e.length)%e.length].focus()}#l(t){let e=this.#t.shift();this.#t.length>0?this.#n():this.#d(),e?.resolve(t)}#d(){clearInterval(this.#e),this.#o.stop();let t=this.#c(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#s&&this.giveBack(),this.#s=!1,g.end(this)}},qe="\u2007";function qt(i){return i.seconds??30}function ze(i){if(i==null)return"";if(typeof i!="object")return String(i);let t=Object.entries(i).map(([e,s])=>[e,He(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}function He(i){return typeof i=="string"?i:JSON.stringify(i)??""}var H=class{#t=new Map;#e=new Map;#i=[];#s=!1;#o=null;#n=new Map;pressed(t){t.repeat&&!this.#r(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#s=t.shiftKey,this.#c(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#r(t)||this.#a(t),this.#t.delete(t.code),this.#s=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,s){let o=performance.now(),n=o+1e3;this.#n.set(t,{until:n,taken:s}),this.#o={at:o,until:n,field:e,isShifted:this.#s}}acquit(t){this.#n.delete(t),this.#n.size===0&&(this.#o=null)}doubt(t){return Math.max(0,(this.#n.get(t)?.until??0)-performance.now())}#r({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#o;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:o,shiftKey:n,altKey:r,ctrlKey:a,metaKey:h,isComposing:l}=t;if(!(s.length>1&&s!=="Backspace"||r||a||h||l)){this.#e.set(o,t.timeStamp),n===e.isShifted&&this.#h({key:s,code:o,at:e.at,types:!0},e.field);for(let[d,{until:p,taken:b}]of this.#n)this.#n.delete(d),performance.now()<p&&b()}}#h({key:t,code:e,at:s},o){if(!o?.isConnected)return;let n=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!o.dispatchEvent(n))return;let r=o;if(t==="Enter"&&o.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,h=r.value?.length,d=this.#i.filter(x=>x.field===o&&x.at>s).reduce((x,{step:F})=>x+F,0),p=d>0?0:Number(r.selectionEnd)-Number(a);a!==null&&d>0&&r.setSelectionRange(a-d,a-d),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||zt(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let b=t==="Delete"?a:Number(a)+r.value?.length-h+p;a!==null&&r.setSelectionRange(b,b),this.#c(o,t,s)}#c(t,e,s){this.#i=[...this.#i.filter(o=>performance.now()-o.at<3e4),{field:t,at:s,step:zt(e)}]}};function zt(i){return i==="Backspace"?-1:[...i].length===1?i.length:0}var $e=3,Be=6e4,We=300,Ge=500,Ke=100,Ht=1e3,Ve=250,$t=20,Je="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Ye="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",lt=class{#t=new Map;#e=null;#i=null;#s=-1/0;#o=-1/0;#n=!1;#r=null;#a=null;#h=!1;#c=new H;#g;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#f()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#i!==t?this.#v(t,this.#e):this.#i=null,this.#k(e,this.#e))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#y()?Ve:0,this.#c.doubt(t))}get isWriting(){return Wt(this.#i===null&&this.#x()?this.#e:$())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let s=this.#t.get(t);!s||this.#i!==null||this.#n||e.at<s.hadUntil||(s.keys.push(e),this.#b(t,s))}#f(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#l(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#p()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#s=e.timeStamp)},t),addEventListener("keydown",e=>this.#m(e),t),addEventListener("keyup",e=>this.#c.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#w(),t),this.#e=$()}#l(t){this.#r=this.#a=null;let[e]=t.composedPath(),s=this.#n&&e===this.#e;this.#n=!1,e instanceof HTMLElement&&!s&&this.#d(e)}#d(t){this.#e=t,this.#s=performance.now(),this.#u();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#u(){let t=this.#i&&this.#t.get(this.#i);t&&(t.hadUntil=performance.now()),this.#i=null}#p(){$()===null&&document.hasFocus()&&this.#d(null)}#m(t){t.isTrusted&&(this.#u(),this.#s=t.timeStamp,this.#c.pressed(t),this.#r=t.key==="Tab"?t:null,!this.#r&&!t.ctrlKey&&!t.metaKey&&(this.#o=performance.now()))}#w(t=0){clearTimeout(this.#g);let e=this.#x();this.#n=!e&&t===$t,!e&&!document.hasFocus()&&t<$t&&(this.#g=setTimeout(()=>this.#w(t+1),t));let s=e&&this.#t.get(e);s&&this.#b(e,s)}#x(){return[...this.#t.keys()].find(t=>Bt(t).activeElement===t)}#T(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:o}=this.#r??{timeStamp:-1/0,defaultPrevented:!0},n=!o&&performance.now()-s<Ge;return e||n||this.#e===null||!this.#e.isConnected}#y(){return this.#e?.isConnected===!0&&this.#e.matches(Je)}#S(t,e){this.#i=t,e.keys=[]}async#b(t,e){if(this.#T(t))return this.#S(t,e);let s=this.#e,o=this.#s,n=this.#y(),r=t.closest("[inert]")!==null,a=performance.now()-this.#o<We;this.#c.suspect(t,s,e.sandbox.stolen);let h=setTimeout(()=>this.#v(t,s),a||r?0:Ke),l=await(r?ct(0):Promise.race([e.sandbox.ask(),ct(Ht)]));clearTimeout(h);let d=l?.isKnown===!1&&l.isActive&&!e.wasActive&&!a,p=l!==null&&(l.pointedAt>o||d);if(this.#t.get(t)===e){if(!p)return this.#E(t,e,s,n,l!==null);this.#c.acquit(t),e.sandbox.release(),this.#s===o&&(this.#S(t,e),$()===s&&e.sandbox.focus())}}async#E(t,e,s,o,n){if(this.#v(t,s),n&&await Promise.race([e.sandbox.ask(),ct(Ht)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(h=>r-h<Be),r],(this.#k(e,s)||o||e.thefts.length>=$e)&&e.sandbox.stolen()}#v(t,e){if(Bt(t).activeElement!==t)return;let s=this.#s;t.blur(),e?.focus({preventScroll:!0}),this.#s=s}#k(t,e){let s=t.keys.splice(0);for(let o of s)this.#c.reported(o,Wt(e)?e:null);return s.length>0}};function ct(i){return new Promise(t=>setTimeout(t,i,null))}function Bt(i){return i.getRootNode()}function Wt(i){return i!==null&&(i.isContentEditable||i.matches(Ye))}function $(){let i=document.activeElement;for(;i?.shadowRoot?.activeElement;)i=i.shadowRoot.activeElement;return i instanceof HTMLElement&&i!==document.body?i:null}var Xe=globalThis,Qe=Symbol.for("cloche.keyboard"),y=Xe[Qe]??=new lt;var Ze;var ts;function Kt(){return ts??=es()}function es(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let i=document.createElement("iframe");i.style.display="none",document.body.append(i);let t=i.contentDocument;for(let e=1;t?.body&&e<10;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return i.remove(),!t?.body}function dt(i,t=document.body){return Ze??=ss(i,t)}var Gt=!1;async function Vt(i,t){return Gt?!1:(Gt=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),dt(i,t))}function ss({url:i,origin:t},e){let s=crypto.randomUUID(),o=document.createElement("iframe");return o.setAttribute("sandbox","allow-scripts allow-same-origin"),o.style.display="none",o.src=`${i}#${s}`,new Promise(n=>{let r=l=>{clearTimeout(h),removeEventListener("message",a),o.remove(),n(l)},a=({source:l,origin:d,data:p})=>{l!==null&&l===o.contentWindow&&d===t&&p?.nonce===s&&r(p.leaky!==!1)},h=setTimeout(()=>r(!0),1e4);addEventListener("message",a),e.append(o)})}var Jt={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var Yt={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},Xt={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var Qt=i=>"Request "+i+" timed out",Zt=i=>"Request "+i+" was cancelled",te=()=>"Transport is closed",ee=()=>"This id is in use by a request that is not answered yet";var A={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},ns=4;function ut(i,{bytes:t,depth:e}){let s=[],o=t,n="";return k(i,a=>{let h=s.at(-1)??"",l=typeof a=="string"?a:"";return o-=ns+h.length+l.length+(Array.isArray(a)?a.length:0),o<0?n="is too large":l.isWellFormed()?Object(a)===a&&s.length>=e?n="is nested too deeply":(!P(a)||typeof a=="symbol"||!h.isWellFormed())&&(n="is not JSON"):n="holds half a character",!n},s)?null:n||"is not JSON"}function ft(i){return typeof i=="object"&&!Array.isArray(i)&&i?.jsonrpc==="2.0"}var v=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},B=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new v(t.rate,t.burst,e),this.patience=new v(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=ut(t,this.limits);return e?this.#e(t,-32600,"The message "+e):ft(t)?se(t)?this.#t.has(t.id)?this.#e(t,-32600,ee()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,s){return se(t)?{code:e,message:s}:"drop"}};function se(i){return typeof i?.method=="string"&&/^(string|number)$/.test(typeof i.id)}var rs=20,as=5,pt=new Map;function ie(i,t,e){return i?(addEventListener("message",hs,{capture:!0}),pt.set(i,{bucket:new v(as,rs),count:0,proxy:t,flooded:e}),()=>{pt.delete(i)}):()=>{}}function hs(i){if(i.isTrusted&&i.source===null&&i.origin==="null")return i.stopImmediatePropagation();let t=cs(i.source),e=t&&pt.get(t);e&&(i.source!==e.proxy()&&i.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function cs(i){let t=i&&"parent"in i?i:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var oe="ui/notifications/sandbox-",ls="allow-scripts allow-same-origin allow-forms",mt=2e4,ds=5e3,us=5e3,fs=1e4,re=10,ps=30,ne=fs/re,ms=250,gs=.25,L=class{#t=bs();#e=0;#i=0;#s=!1;#o=ps;#n=!1;#r=0;#a=[];#h=!1;#c=()=>{};#g=new Map;#f=0;#l=-1/0;#d=1/0;#u=null;#p;constructor(t,e){this.options=t,this.bucket=new v(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",ls),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!ws(this.options.sandbox))return this.#m("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#y),document.addEventListener("securitypolicyviolation",this.#T),this.element.addEventListener("load",()=>this.#x()),this.#w(mt),t.append(this.element);let e=s=>this.#m("flood",{count:s});this.#c=ie(this.element.contentWindow,()=>this.#b(),e),y.watch(this.element,{ask:()=>this.#v(),focus:()=>this.focus(),release:()=>this.#_(),stolen:()=>this.#m("focus")})}get isOver(){return this.#n}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#u&&(this.#w(mt),this.#E(e))}post(t){this.#u?.postMessage({message:t})}postBytes(t){this.#u?.postMessage({bytes:t},[t])}setTheme(t){this.#u?.postMessage({theme:t})}focus(){y.give(this.element),this.#u?.postMessage({focus:!0})}remove(){this.#n=!0,clearTimeout(this.#p),this.#c(),y.unwatch(this.element),removeEventListener("message",this.#y),document.removeEventListener("securitypolicyviolation",this.#T),this.#u?.close(),this.#u=null,this.element.remove()}#m(t,e){this.#n||(this.remove(),this.handlers.ended(t,e))}#w(t){clearTimeout(this.#p),this.#p=setTimeout(()=>this.#m("silent"),t)}#x(){if(this.#e+=1,this.#e>1)return this.#m("navigated");this.#u||this.#n||this.#w(ds)}#T=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#m("blocked")};#y=t=>{if(!this.#S(t))return;removeEventListener("message",this.#y);let{html:e}=this.options;e?this.#w(mt):clearTimeout(this.#p);let s=new MessageChannel;this.#u=s.port1,this.#u.onmessage=({data:r})=>this.#M(r);let o={nonce:this.#t},n={jsonrpc:"2.0",method:oe+"port",params:o};this.#b()?.postMessage(n,this.options.sandbox.origin,[s.port2]),e&&this.#E(e)};#S({source:t,origin:e,data:s}){return t!==null&&t===this.#b()&&e===this.options.sandbox.origin&&s?.method===oe+"proxy-ready"&&s.params?.nonce===this.#t}#b(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#E(t){let{frame:e,limits:s,theme:o}=this.options;try{let n=await t;clearTimeout(this.#p),this.setTheme(o);let r=!e.framed&&Kt();this.#u?.postMessage({html:n,frame:e,limits:s,deep:r}),this.#n||this.#I()}catch(n){this.#m("html",n)}}#v(){if(!this.#u)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#f,e=performance.now();return this.#u.postMessage({question:t}),new Promise(s=>this.#g.set(t,{at:e,told:s}))}#k({question:t,now:e,isActive:s}){let o=this.#g.get(t);this.#g.delete(t),o&&typeof e=="number"&&(this.#d=Math.min(this.#d,e-o.at));let n=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#l-this.#d,isActive:s===!0,isKnown:n})}#O({pointedAt:t,typedAt:e,key:s,code:o,types:n}){typeof t=="number"&&(this.#l=Math.max(this.#l,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&y.pressed(this.element,{key:s,code:String(o),types:n===!0,at:Number(e)-this.#d})}#I(){this.#s=!1,this.#u?.postMessage({ping:++this.#i}),this.#A(0)}#A(t){let e=performance.now()+ne;this.#p=setTimeout(()=>{if(this.#s)return this.#R();let s=t+(performance.now()-e>ms?gs:1);s>=this.#o?this.#m("unresponsive"):this.#A(s)},ne)}#R(){this.#p=setTimeout(()=>this.#I(),us)}#M(t){if(!this.bucket.take())return this.#m("flood",{count:2*this.options.limits.burst});this.#n||t===null||typeof t!="object"||(this.#s=!0,t.event==="navigated"||t.event==="flood"?this.#m(t.event,{count:Number(t.count)}):t.event==="told"?this.#k(t):t.event==="pressed"?this.#O(t):typeof t.event=="string"?this.#C(t):"message"in t&&this.#N(t))}#N({message:t,gesture:e,hasFocus:s}){let o=performance.now();this.#r=Math.max(this.#r,o+y.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#r}),this.#h||this.#L()}#_(){this.#r=0;for(let t of this.#a)t.until=0;this.#L()}#L(){for(this.#h=!1;!this.#n&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#L(),t);return}let[{message:e,gesture:s}]=this.#a.splice(0,1);this.handlers.message(e,s)}}#C(t){t.event==="loaded"&&(this.#o=re,this.#v()),this.handlers.event(t)}};function ws({url:i,origin:t,around:e=t}){let s=URL.canParse(i)?new URL(i):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}function bs(){let i=crypto.getRandomValues(new Uint8Array(16));return Array.from(i,t=>t.toString(16).padStart(2,"0")).join("")}var W=class{#t=null;#e=[];#i=0;#s=0;#o=0;#n=!1;#r=!1;#a;#h=[];constructor(t,e,s,o){this.socket=t,this.view=e,this.opening=s,this.handlers=o}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#s})}else this.#e=[],this.#i=this.#s=this.#o=0,this.#n=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#n=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#i;return this.#e.push({n:s,frame:t}),this.#e.length>2e3?this.#w("overflow","The host did not answer for too long."):this.#n&&this.socket.send({...t,view:this.view,n:s}),!0}close(){this.#r||(this.#r=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#r||(t.mount?this.#c(t.mount):t.error?this.#w(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#g(t.resumed):t.got!==void 0?this.#f(t.got):t.n===this.#s+1&&this.#l(t))}#c(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#g(t){this.#f(t),this.#n=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#f(t){let e=this.#e.findIndex(s=>s.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#l(t){if(this.#s=t.n,this.#s-this.#o>=32?this.#d():this.#a??=setTimeout(()=>this.#d(),1e3),t.body===void 0)return this.#u(t);let e=this.#m(t.body);t.free?e.then(s=>this.#r||this.handlers.frame(s),()=>{}):this.#u(e)}#d(){clearTimeout(this.#a),this.#a=void 0,!(this.#r||!this.#n)&&(this.#o=this.#s,this.socket.send({view:this.view,got:this.#s}))}#u(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#p()}async#p(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#r)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#m(t){try{return{bytes:await ae(new URL(t,this.socket.base).href)}}catch(e){throw this.#w("body",e instanceof Error?e.message:String(e)),e}}#w(t,e){this.#r||(this.close(),this.handlers.failed(t,e))}},xs=4,ys=500;async function ae(i){for(let t=1;;t++){try{let e=await fetch(i,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=xs)throw e}await new Promise(e=>setTimeout(e,ys*2**(t-1)))}}async function G(i){return new TextDecoder().decode(await ae(i))}var vs=new Map([...Object.entries(Jt).map(([i,t])=>[t,i]),...Object.entries(Xt)]),Es={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},K=class{#t=!1;#e;#i;#s=[];constructor(t,e,s,o){this.packet=t,this.channel=e,this.stage=s,this.limits={...A,...t.limits},this.methods=new Set(t.methods??[]),this.#i=t.first??[],this.handlers={message:(n,r)=>this.#g(n,r),event:n=>this.#c(n),ended:(n,r)=>this.#a(n,r)},this.frame=o??this.#o(),this.frame.element.title=t.title||t.tool||"App"}#o(){let{sandbox:t,frame:e}=this.packet,s=G(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:o}=this.stage.context();return new L({sandbox:t,frame:e,limits:this.limits,theme:o,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#r(t.message)||this.frame.post(t.message):this.stage.act(t)}#n(){for(let t of this.#i.splice(0))this.#s.push(JSON.stringify(t)),this.frame.post(t)}#r(t){return this.#s.length>0&&this.#s[0]===JSON.stringify(t)&&this.#s.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Es[t]}#c(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();Os.includes(t.event)&&this.channel.send(Ls(t))}#g(t,e){if(ut(t,this.limits)||!ft(t))return;let s=vs.get(t.method)??t.method;if(s==="ui/initialize"&&t.id!==void 0)return this.#f(t);if(s==="ping"&&t.id!==void 0)return this.#u(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#n();if(s==="ui/notifications/size-changed")return this.#l(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#p(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let o=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...o})&&t.id!==void 0&&this.#p(t.id,-32600,"The message is too large")}#f({id:t,params:e={}}){let{initialize:s,limits:o}=this.packet,n={...this.stage.context()},r={...n.containerDimensions};r.height===void 0&&o?.maxHeight&&(r.maxHeight=o.maxHeight),n.containerDimensions=r;let a={...s,hostContext:{...s.hostContext,...n}};Ct.includes(e.protocolVersion)||(a.hostCapabilities=Ss(s)),this.#u(t,this.packet.profile?As(a,this.packet.profile):a),this.#t||this.report("initialize",{params:e,context:n}),this.#t=!0,this.stage.shown()}#l(t){let e=this.#e!==void 0;this.#d={...e?this.#d:{},...ks(t,this.limits.maxHeight??6e3)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#d),this.report("size",this.#d)}))}#d={};#u(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#p(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Ts=1e4;function ks(i,t){let e={};for(let[s,o]of[["width",Ts],["height",t]]){let n=i?.[s];typeof n=="number"&&n>=0&&(e[s]=Math.min(Math.ceil(n),o))}return e}function Ss({hostCapabilities:i,hostContext:t}){let e=Object.entries(Yt).filter(([,s])=>s in i);return{...i,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function As({hostContext:i,...t},{context:e,withoutContext:s,omits:o}){let n=(r,a)=>Object.fromEntries(Object.entries(r).filter(([h])=>!a.includes(h)));return n({...t,hostContext:{...n(i,s),...e}},o)}var Os=["violation","error","console"],Is=["event","message","directive","blocked","level"];function Ls(i){let t=Is.filter(s=>typeof i[s]=="string"),e=Number.isSafeInteger(i.line)&&i.line>0?{line:i.line}:{};return{...Object.fromEntries(t.map(s=>[s,i[s].slice(0,500).toWellFormed()])),...e}}var w=new URL(".",import.meta.url).href,Rs="cloche.1",Ms=250,Ns=1e4,_s=1e3,he=new Map;function R(i=w){let t=he.get(i);if(t)return t;let e=new gt(i);return he.set(i,e),e}var gt=class{#t=new Map;#e=0;#i=null;#s=0;#o;constructor(t){this.base=t;let e=()=>{this.#o!==void 0&&!document.hidden&&this.#a()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>s||this.#n())}get isOpen(){return this.#i?.readyState===WebSocket.OPEN}open(t,e){let s=new W(this,++this.#e,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#i&&this.#o===void 0&&this.#a(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#r(),_s)}send(t){this.#i?.send(JSON.stringify(t))}#n(){if(this.isOpen)for(let t of this.#t.keys())this.send({close:t})}#r(){clearTimeout(this.#o),this.#o=void 0;let t=this.#i;this.#i=null,t?.close(1e3)}#a(){clearTimeout(this.#o),this.#o=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Rs);this.#i=t,t.onopen=()=>{this.#s=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#c(e),t.onclose=e=>this.#i===t&&this.#h(e)}#h(t){if(this.#i=null,this.#t.size===0)return;this.#s+=1;for(let s of[...this.#t.values()])s.disconnected(this.#s,t.reason);let e=Math.min(Ns,Ms*2**(this.#s-1));this.#o=setTimeout(()=>this.#a(),e*(.75+Math.random()/2))}#c(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var ce=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var V=Object.fromEntries(ce.split(`
`).filter(i=>i.startsWith("  --")).map(i=>i.slice(2,-1).split(": ")));var Ds=300;function M(i){let t=i.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(i).colorScheme,s=document.querySelector("meta[name=color-scheme]"),o=(e==="normal"?s?.content??"":e).split(" "),[n,r]=[o.includes("light"),o.includes("dark")];return n&&r?le().matches?"dark":"light":n||r?r?"dark":"light":js(Ps(i))?"dark":"light"}function le(){return matchMedia("(prefers-color-scheme: dark)")}function Ps(i){for(let t=i;t;t=t.parentElement??Us(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function Us(i){let t=i.getRootNode();return t instanceof ShadowRoot?t.host:null}function js(i){let[t,e]=i.split("("),[s,o,n]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*o+.114*n)/r<.5}function Fs(i){let t=getComputedStyle(i);return Object.fromEntries(Object.entries(V).map(([e,s])=>{let o=t.getPropertyValue(e).trim();return[e,o&&o.length<=Ds?o:s]}))}function J(i,{displayMode:t,width:e,height:s}){return{theme:M(i),styles:{variables:Fs(i)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:i.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function de(i,t){let e=Object.entries(t).filter(([s,o])=>JSON.stringify(o)!==JSON.stringify(i[s]));return Object.fromEntries(e)}function Y(i){let t=new MutationObserver(i);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=le();return e.addEventListener("change",i),()=>{t.disconnect(),e.removeEventListener("change",i)}}var qs="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",zs=1e3,X=new Map,wt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=G(new URL(t.html,w).href)}frame(t,e,s){let{sandbox:o,frame:n}=this.packet,r={...A,...this.packet.limits};return new L({sandbox:o,frame:n,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new N(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let o=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,n=o?s:new N(this,this.html,e);return o?n.frame.show(t,this.html,e):n.frame.start(t),n}shown(){setTimeout(()=>this.renew(),zs)}remove(){this.#e=!0,this.#t?.frame.remove()}},N=class{#t=[];#e;constructor(t,e,s="light"){this.early=t.packet.early,this.frame=t.frame(e,s,{message:(o,n)=>this.#i(r=>r.message(o,n)),event:o=>{o.event==="loaded"&&t.shown(),this.#i(n=>n.event(o))},ended:(o,n)=>this.#i(r=>r.ended(o,n))})}static open(t,e,s){let o=X.get(t??"");return o?.packet.early?o.show(e,s):null}#i(t){this.#e?t(this.#e):this.#t.push(()=>this.#e&&t(this.#e))}handOver(t){this.#e=t;for(let e of this.#t.splice(0))e()}},Q=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#i=[];#s;#o=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=qs,this.#e=R(w).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#r(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#s&&this.#n(this.#s);for(let t of this.#i.splice(0))t.remove();this.#e?.close(),this.#e=null}#n(t){t.remove(),X.get(t.packet.view)===t&&X.delete(t.packet.view)}#r(t){let e=this.#s=new wt(t,this.#o);J(this,{displayMode:"inline",width:0}),X.set(t.view,e),e.html.catch(()=>this.#n(e)),this.#a(e,Promise.resolve(""),s=>{this.#i=[s],e.renew(),this.#a(e,e.html,o=>{o.remove(),this.#t()})})}#a(t,e,s){let o=t.frame(e,"light",{message:()=>{},event:({event:n})=>n==="loaded"&&s(o),ended:()=>this.#t()});this.#i.push(o),o.start(this.#o)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Q);var Hs="cloche.sign-in";function ue(i){let t=new BroadcastChannel(Hs);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&i(e)},()=>t.close()}var fe=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
`;var Z;function tt(){return Z||(Z=new CSSStyleSheet,Z.replaceSync(fe.replaceAll(/var\((--[\w-]+)\)/g,(i,t)=>`var(${t}, ${V[t]})`))),Z}var Bs="M8 2a6 6 0 1 1-6 6",Ws="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",Gs="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",Ks=400,et=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[tt()],this.name=c("span","name"),this.server=c("strong"),this.origin=c("span","origin",z(Gs),c("span",{},"App from ",this.server)),this.leave=c("button",{class:"leave",onclick:e.leave},"Leave full screen");let o=c("div","whose",this.name,this.origin);this.stage=c("div","stage"),this.loading=c("div",{class:"note loading",role:"status"},z(Bs),c("div",{},"Loading the app")),this.reason=c("p","danger"),this.hint=c("p"),this.retry=c("button",{onclick:e.retry},"Try again"),this.problem=c("div",{class:"note problem",role:"alert"},z(Ws),c("div",{},this.reason,this.hint),this.retry);let n="The connection is lost. Trying again; what you do here is kept.";this.lost=c("div",{class:"lost",role:"status"},n),this.panel=c("dialog",{class:"panel bordered",role:"group"},c("header","bar",o,this.leave),this.stage,this.loading,this.problem,this.lost),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:o,size:n,limits:r}){let a=String(t||e||"App");this.name.textContent=a,this.server.textContent=String(s??""),this.origin.hidden=!s,this.panel.setAttribute("aria-label",a),this.panel.classList.toggle("bordered",o!==!1),this.setHeight(n?.height??r?.firstHeight??Ks)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.panel.setAttribute("aria-busy",String(t==="loading")),this.reason.textContent="The app cannot be shown",this.hint.textContent=e?.message??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){g.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),this.panel.setAttribute("role",t?"dialog":"group"),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var m=class extends Error{code="APP_LOAD_FAILED"},E=class extends m{code="APP_DISCONNECTED"},U=class extends m{code="APP_TIMEOUT"},O=class extends m{code="ORIGIN_NOT_ALLOWED"};var T=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var pe=new URL("./app-frame.js",import.meta.url).href,st=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,s=bt(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let o=this.element.contentWindow,{document:n}=o,r=Object.assign(n.createElement("script"),{type:"module",src:pe}),a=bt(r,"load");n.head.append(r),await a,e.throwIfAborted(),this.#t=o.clocheAppFrame,o.addEventListener("message",this.handlers.received,{signal:e}),n.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let h=bt(this.frame,"load");h.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(n.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,n.body.append(this.frame),await h}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new m("The app was unloaded")),this.element.remove()}};function bt(i,t){return new Promise((e,s)=>{i.addEventListener(t,()=>e(),{once:!0}),i.addEventListener("error",()=>s(new m(`${pe} could not be loaded`)),{once:!0})})}var f=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},xt=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),j=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new f(-32001,t+": no answer")}request(t,e={},{id:s=xt(),timeout:o=6e4,signal:n,onProgress:r,transfer:a}={}){let h,l;return new Promise((d,p)=>{if(l=x=>{let F=this.unanswered(t,s,x&&n);p(F),this.notify("notifications/cancelled",{requestId:s,reason:String(F)})},n?.aborted)throw this.unanswered(t,s,n);n?.addEventListener("abort",l);let b=()=>{clearTimeout(h),h=o&&setTimeout(l,o)};this.pending.set(s,{resolve:d,reject:p,progress:x=>(b(),r?.(x))}),b(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(h),n?.removeEventListener("abort",l)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:o,error:n}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):n?r?.reject(Object.assign(new f,n)):r?.resolve(o),r}async answer({id:t,method:e,params:s},o){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let n=o(e);if(t==null)return n?.(s);let r=new AbortController;this.running.set(t,r);let a=h=>r.signal.aborted||this.post({id:t,...h});try{if(!n)throw new f(-32601,"Not available: "+e);a({result:await n(s,r.signal,t)??{}})}catch(h){a({error:{code:+h?.code||-32603,message:String(h?.message??h),data:h?.data}})}finally{this.running.delete(t)}}},it=class extends j{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:o={},result:n,error:r}=t;if(k(t,P)&&!u(e)&&u(s?o:r??(n===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new f(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,o)=>{if(P(o)||typeof o=="function")return o;throw new f(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var me={name:"cloche",version:"1"},Xs=/^[a-z][a-z0-9-]{0,49}$/,ot=class{state="loading";serverInfo=null;#t=new T;#e=new B(A);#i;#s;#o=new Map;#n=!1;#r=!1;#a=Promise.withResolvers();constructor(t,e){this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=Zs(t.options,e),this.holder=new st(this.frame,e.url,{received:s=>this.#d(s),left:()=>this.#E(new O(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#E(new E(`${this.name}: The app went to another page`))}),this.iframe=ti(this.holder.element,t.options,e),this.transport=new it(s=>this.#l(s),s=>this.#x(s),s=>t.failed(s)),this.#a.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,s=setTimeout(()=>this.#a.reject(new U(`${this.name}: no answer in ${e} ms${this.#g()}`)),e),o=this.holder.open(t);o.catch(()=>{});try{await Promise.race([o,this.#a.promise]),this.#h(),this.#c(e);for(let n of["focus","blur","focusin","focusout"])addEventListener(n,this.#f);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(s)}}#h(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#c(t){let e=this.holder.transport(this.origin,t);e&&(this.#a.promise.catch(()=>{}).then(()=>this.#s||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#s=e,this.#i="transport",e.onMessage(s=>this.#u(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#E(new E(`${this.name}: the app closed the connection`))),this.#w())},()=>{}))}#g(){return this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}async connect(){if(await this.#a.promise,this.#i){let t={protocolVersion:Nt,capabilities:{},clientInfo:me},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#a.reject(new E(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#f);this.#s?.close(),this.holder.close()}focus(){this.frame.focus(),this.#f()}#f=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#l(t){this.#e.answered(t),this.#s?this.#s.send(t):this.#i&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}on(t,e){return this.#t.on(t,e)}onMessage(t){return this.on("message",t)}#d({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#u(s,()=>ge(s)?void this.transport.receive(s):this.#p(s))}#u(t,e){let s=this.#e.judge(ge(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#E(new E(`${this.name}: The app sent too many messages`)):u(s)?this.#l({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#p(t){let{type:e,payload:s}=u(t)?t:{};e==="app:ready"?(this.#i??="envelopes",this.serverInfo=s?.serverInfo??null,this.#n&&this.#h(),this.#w()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#b(s):this.#m(typeof e=="string"?e:"message",s??t,t)}#m(t,e,s){this.#t.tell(t,e),t!=="message"&&this.#t.tell("message",s),this.host.options.onAppMessage?.(s),this.host.emit("message",{app:this,message:s})}#w(){this.state==="loading"&&(this.state="ready"),this.#a.resolve()}#x(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#T();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:o})=>this.#S(o);if(t==="tools/call"&&e)return o=>this.#y(o);if(t==="resources/read"&&s)return({uri:o})=>s(String(o));if(t==="ui/notifications/size-changed")return o=>this.#b(o);if(t.includes("notifications/"))return o=>this.#m(t,o,{method:t,params:o})}#T(){this.#w();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:_t,hostInfo:me,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#y({name:t,arguments:e={}}){if(typeof t!="string"||!u(e))throw new f(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new f(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#S(t){if(typeof t!="string"||!Xs.test(t))throw new f(-32602,"A permission has a short name");let e=this.#o.get(t)??this.host.mayUse(t,this.id);return this.#o.set(t,e),{granted:await e}}#b(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||g.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,A.maxHeight??0)}px`)}}#E(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#a.reject(t),this.host.unload(this.id),this.host.failed(t))}},ge=i=>u(i)&&i.jsonrpc==="2.0",Qs="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function Zs(i,t){let e=document.createElement("iframe");for(let[s,o]of Object.entries(t.attributes??{}))/^(lang|loading|allow)$/.test(s)&&e.setAttribute(s,o);return e.setAttribute("sandbox",t.sandbox.join(" ")),i.csp&&e.setAttribute("csp",i.csp),i.csp&&!("csp"in e)&&console.warn(Qs),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function ti(i,t,e){for(let[n,r]of Object.entries(e.attributes??{}))/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/.test(n)&&i.setAttribute(n,r);i.title||=e.name??e.id;let{width:s,height:o}=e;return Object.assign(i.style,t.style,s!==void 0&&{width:we(s)},{...o!==void 0&&{height:we(o)}}),i}function we(i){return typeof i=="number"?`${i}px`:i}var ei=["allow-scripts"],si=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i;function ii(i){return new yt(i)}var yt=class{#t=new Map;#e=new T;#i=0;constructor(t){this.options={connectionTimeout:3e4,sandbox:ei,...t};let{container:e,allowedOrigins:s}=t,o=typeof e=="string"?document.querySelector(e):e;if(!(o instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=o,this.allowedOrigins=oi(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new O(`${e.origin} is not one of allowedOrigins`);let s=ni(t.sandbox??this.options.sandbox,e),o=t.id??`app-${++this.#i}`;if(this.#t.has(o))throw new m(`There is an app with the id ${o} already`);let n=new ot(this,{...t,id:o,url:e,sandbox:s});this.#t.set(o,n);try{await n.open(this.container)}catch(r){throw this.unload(o),this.failed(r),r}return this.emit("load",n),n}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.emit("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}on(t,e){return this.#e.on(t,e)}emit(t,e){this.#e.tell(t,e)}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.#e.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.emit("error",t)}async mayCall(t,e,s){let{hitl:o}=this.options,n=o&&(!o.neverConfirm?.includes(t)||o.alwaysConfirm?.includes(t));return!o||!n?!0:await this.#s(()=>o.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#s(()=>s({permission:t,app:e}))}async#s(t){let e,s=this.options.hitl?.confirmationTimeout??3e4,o=new Promise(n=>e=setTimeout(n,s,!1));try{return await Promise.race([t(),o])===!0}catch(n){return this.failed(n),!1}finally{clearTimeout(e)}}};function oi(i){if(!Array.isArray(i)||i.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of i)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...i]}function ni(i,t){let e=i.find(o=>si.test(o));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(i.includes("allow-same-origin")&&i.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return i}var St=3e4,ai=256;var _=class extends Error{constructor(t,e){super(t),this.code=e}},nt=class extends _{constructor(){super(te(),"TRANSPORT_CLOSED")}},Et=class extends _{constructor(t){super(Qt(t),"REQUEST_TIMEOUT")}},Tt=class extends _{constructor(t){super(Zt(t),"REQUEST_CANCELLED")}};function be(i,t=16777216,e=!0){let s=[],o=0,n="",r=!1,a=k(i,l=>{n={}.toString.call(l).slice(8,-1);let d=n=="ArrayBuffer";return r||=d,o+=(s.at(-1)?.length??0)+(n=="String"?l.length:d?l.byteLength:2),n=="Number"&&!isFinite(l)&&(n=""+l),o<=t&&(d?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(n))},s),h=o>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is no name":" is a "+n);return{length:o,hasBuffers:r,flaw:a?"":h}}var ye=i=>JSON.parse(JSON.stringify(i)),ve=i=>typeof i=="number"||typeof i=="string"&&i.length<1e3;var hi=i=>u(i)&&i.jsonrpc=="2.0"&&ve(i.id??0)&&("method"in i?typeof i.method=="string"&&u(i.params??{}):"result"in i!=u(i.error)),kt=class extends j{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=ye(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new Tt(e):new Et(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},C=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#i=[];#s=!1;rpc=new kt(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#i.splice(0).forEach(this.#o),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:s=xt()},o){return this.rpc.request(t,e,{timeout:St,...o,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof f)return ye({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,o={...t,type:s+(t.method?":request":":response")};this.say(this.#s?o:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:o,...n}=t??{},{messageType:r}=this;s===r&&this.deliver(o),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#s=!0,this.deliver({...n,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=hi(t)?be(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!u(t)||!ve(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#o(t):this.#i.length<ai?this.#i.push(t):this.dropped++}violated(t){this.violations++,vt(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new nt),[...this.#e].forEach(vt))}release(){}#o=t=>{for(let e of[...this.#t])vt(()=>e(t))};verify(t){if(!this.isConnected)throw new nt;let{flaw:e,hasBuffers:s}=be(t,this.limit,this.carriesBuffers);if(e)throw new _("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function vt(i){try{await i()}catch(t){console.error(t)}}function ci(i){return new At(i)}var At=class{#t;#e;#i=!1;#s=new Set;#o=new T;#n=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:o}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=new Ot(n=>this.#r(n)),s&&this.transport.serve(n=>async r=>{try{return await s(n,r)}catch(a){throw o?.(a),a}}),addEventListener("message",n=>this.#a(n))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#r({type:t,payload:e})}onMessage(t,e){return this.#o.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:St,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),o=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||o?!1:(this.#s.add(t),!0)}getPermissions(){return[...this.#s]}#r(t){for(let e of this.#n===null?this.options.allowedOrigins:[this.#n])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#n??=e,e!==this.#n||typeof s!="object"||s===null))return;let{type:o,payload:n,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):o==="mcp:request"?this.transport.deliver({...n,jsonrpc:"2.0"}):o==="app:init"?this.#h(n??{}):typeof o=="string"&&(o==="auth:refresh"&&this.#c(n),this.#o.tell(o,"payload"in s?n:s))}#h({data:t,authContext:e}){this.#i||(this.#i=!0,this.#c(e),this.#t=t,this.options.onInitialData?.(t))}#c(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}},Ot=class extends C{constructor(t){super(),this.carry=t}post(t){let e="method"in t&&"id"in t;this.carry(e?t:{type:t.method?"mcp:notification":"mcp:response",payload:t})}farewell(){}};var li="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",di="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",ui=50,It=class i extends HTMLElement{static origins=new Set([location.origin,new URL(w).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#i=null;#s=null;#o=null;#n=null;#r={};#a=[];#h;constructor(){super(),this.#t=new et(this,{retry:()=>this.reload(),leave:()=>this.#b("inline")}),this.#e=new I(this.#t.panel,this.#t.stage,()=>this.#s?.frame.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#I());t.observe(this),this.#a=[Y(()=>this.#I()),()=>t.disconnect(),ue(e=>this.#s?.report("sign-in",{query:e}))],this.#c()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#l(),this.#k("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#A();this.#n=null,this.reload()}}setDisplayMode(t){this.#s&&this.#S(t)}focus(){this.#s?.frame.focus()}reload(){this.#l(),this.isConnected&&this.#c()}#c(){if(!this.#n&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#f())return this.#v("arguments","The attribute arguments is not a JSON object.");let t=this.#g();if(t===null)return this.#v("base",li);this.#k("loading");let e=M(this);this.#t.setTheme(e),this.#o=t===w?N.open(this.getAttribute("view"),this.#t.stage,e):null;let s=!0;this.#i=R(t).open(()=>this.#d(),{mounted:o=>this.#u(o),frame:o=>this.#s?this.#s.receive(o):this.#x(o),waiting:o=>this.#t.setWaiting(o&&this.#s!==null),failed:(o,n)=>{if(o==="gone"&&s&&this.#s)return s=!1,void this.reload();this.#v(o,n)}})}#g(){let t=this.getAttribute("base");if(!t)return w;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&i.origins.has(s.origin)?s.href:null}#f(){try{return u(JSON.parse(this.getAttribute("arguments")||"{}"))}catch{return!1}}#l(){g.forget(this),this.#e.clear(),this.#s?.remove(),this.#o?.frame.remove(),this.#s=this.#o=null,this.#b("inline"),this.#i?.close(),this.#i=null,this.#t.setWaiting(!1)}#d(){this.#o||(this.#r=this.#O());let t={context:this.#o?{}:this.#r,origin:location.origin},e=this.#n??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:JSON.parse(this.getAttribute("arguments")||"{}"),...t}}async#u(t){let{leaky:e}=t;if(e?.do!=="refuse"&&this.#p(t),!e)return;let s=this.#i;await(e.do==="refuse"?dt:Vt)(e.probe,this.#t.stage)?s&&s===this.#i&&(s.send({event:"leaky",refused:e.do==="refuse"}),e.do==="refuse"&&this.#v("leaky",di)):e.do==="refuse"&&s===this.#i&&this.#p(t)}#p(t){let e=this.#i;if(!e)return;this.#n=t.ticket??this.#n,this.#t.describe(t),this.#o&&(this.#r=this.#O());let s=this.#m(t.early);this.#s=new K(t,e,{shown:()=>this.#k("ready"),resized:({height:o})=>this.#w(o),ended:(o,n)=>this.#v(o,n),escaped:()=>this.#e.isOpen||this.#b("inline"),act:o=>this.#x(o),context:()=>this.#r},s?.frame),s?s.handOver(this.#s.handlers):this.#s.frame.start(this.#t.stage)}#m(t){let e=this.#o;return this.#o=null,e?.early===t?e:(e?.frame.remove(),null)}#w(t){t!==void 0&&this.#t.setHeight(t)}#x(t){t.ask!==void 0?this.#T(t.ask,t.question):t.unask!==void 0?this.#e.unask(t.unask):t.do==="open-link"?this.#y(t.url):t.do==="download"?jt(t.files,()=>this.#s?.report("error",{message:"download"})):t.do==="display-mode"?this.#S(t.mode,!0):t.do==="remove"&&this.#E()}async#T(t,e){let s=this.#i,o=n=>s===this.#i&&s?.send({answer:t,value:n});o(await this.#e.ask(t,e,()=>o("seen")))}async#y(t){let e=Pt(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,o={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#e.ask(e,o))&&Ut(e)}#S(t,e=!1){g.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&y.isWriting);this.#b(s?"fullscreen":"inline")})}#b(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#s?.frame.focus(),this.#A()),this.#s?.report("display-mode",{mode:t})}#E(){this.#l(),this.#k("closed")}#v(t,e){this.error={code:t,message:e},this.#l(),this.#k("error")}#k(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#O(){let{width:t,height:e}=this.#t.room();return J(this,{displayMode:this.displayMode,width:t,height:e})}#I(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#A()},ui)}#A(){this.#t.setTheme(M(this));let t=this.#O(),e=de(this.#r,t);this.#r=t,!(!this.#s||Object.keys(e).length===0)&&(e.theme&&this.#s.frame.setTheme(t.theme),this.#s.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",It);var Ee="mcp:",Te=(i,t,e=t)=>new Promise((s,o)=>{let n=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(Ee+i,{signal:e},n).catch(o)}),ke=(i,t,e)=>{navigator.locks.request(Ee+i,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var rt=class extends C{constructor(t=self,e){super(e),this.target=t.port??t;let s=(o,n)=>this.target.addEventListener(o,n,this.over);s("message",({data:o})=>this.take(o)),s("close",()=>this.ended()),t.addEventListener("error",({message:o})=>o||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Te(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):ke(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var Lt=class{stopWatching=()=>{};constructor(){this.host=c("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[tt()],this.panel=c("dialog",{class:"over",role:"presentation"});let e=c("div");t.append(this.panel),this.dialog=new I(this.panel,e,()=>{}),this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.refuse.click()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}async ask(t,e,s){this.host.isConnected||document.body.append(this.host);let o=this.dialog.ask(t,e,s);this.panel.open||(this.#t(),this.stopWatching=Y(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let n=await o;return this.dialog.shade.hidden&&this.#e(),n}unask(t){this.dialog.unask(t)}#t(){this.panel.style.colorScheme=M(document.body)}#e(){this.stopWatching(),this.panel.close(),this.host.remove()}},fi;function Rt(){return fi??=new Lt}var Se="notifications/initialized",at=class{#t=new Map;#e=0;#i=null;#s=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:o}=t;if(s===Se&&this.#s||(s===Se&&(this.#s=!0),s==="initialize"&&this.#o(e)))return;if(s==="notifications/cancelled")return this.#n(t);if(!s||e===void 0)return this.toServer(t);let n=++this.#e,r=o?._meta?.progressToken;this.#t.set(n,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?o:{...o,_meta:{...o._meta,progressToken:n}};this.toServer({...t,id:n,...a?{params:a}:{}})}#o(t){this.#i&&this.toHost({...this.#i,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#i!==null||e!==void 0}#n(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress")return this.#r(t);if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#i=t),this.toHost({...t,id:e.id}))}#r(t){let e=this.#t.get(t.params?.progressToken);e&&this.toHost({...t,params:{...t.params,progressToken:e.token}})}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};function xn(i){return new Mt(i)}var Mt=class extends EventTarget{state="connecting";error=null;#t=null;#e="";#i=!1;#s;#o=[];constructor({ticket:t,transport:e,base:s=w}){super(),this.transport="onMessage"in e?e:new rt(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#s=new at(o=>this.#c(o),o=>this.#g(o)),this.#o=[this.transport.onMessage(o=>this.#s.fromServer(o)),this.transport.onClose(()=>this.close()),Oe(document,"visibilitychange",()=>this.#f()),Oe(globalThis,"focus",()=>this.#f())],this.#n()}close(){this.#l("closed",null)}async#n(){this.#i=!1;try{this.#e=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(t){return this.#l("error",{code:"ticket",message:`There is no ticket: ${t}`})}this.state!=="closed"&&(this.#t=R(this.base).open(()=>({offer:this.#e,visible:!document.hidden}),{mounted:()=>{this.#i=!0,this.error=null,this.#d("offered")},frame:t=>this.#a(t),failed:(t,e)=>this.#r(t,e)}))}#r(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#d("connecting");let s=this.#i;if(this.#t?.close(),this.#t=null,this.#s.forget(),t!=="gone"||!s)return this.#l("error",{code:t,message:e});this.#d("connecting"),this.#n()}#a(t){t.bytes?this.#s.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s.fromHost(t.message):t.ask!==void 0?this.#h(t.ask,t.question):t.unask!==void 0&&Rt().unask(t.unask)}async#h(t,e){let s=this.#t,o=n=>s===this.#t&&s?.send({answer:t,value:n});o(await Rt().ask(t,e,()=>o("seen")))}#c(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#s.fromServer(Ae(t.id,`${e}`))}}#g(t){!this.#i||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Ae(t.id,"The answer is longer than the host takes")})}#f(){!document.hidden&&this.#i&&this.#t?.send({event:"visible"})}#l(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#o.splice(0))s();this.#s.forget(),this.#t?.close(),this.#t=null,this.error=e,this.#d(t)}}#d(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Ae=(i,t)=>({jsonrpc:"2.0",id:i,error:{code:-32603,message:t}});function Oe(i,t,e){return i.addEventListener(t,e),()=>i.removeEventListener(t,e)}export{E as AppConnectionError,m as AppLoadError,U as AppTimeoutError,It as McpApp,Q as McpAppPreload,Mt as OfferedServer,O as OriginNotAllowedError,ci as createAppChild,ii as createAppHost,xn as offerServer};
