var _t="2025-11-25",Ct="2026-01-26",Pt=["2026-01-26","2025-11-21"];var p=o=>({}).toString.call(o)=="[object Object]",j=o=>p(o)||Array.isArray(o)||Object(o)!==o&&typeof o!="bigint",T=(o,t,e=[],s=0)=>t(o)&&(Object(o)!==o||s<256&&Object.keys(o).every(i=>(e.splice(s,256,i),i!="__proto__"&&T(o[i],t,e,s+1))));function Ut(o){let t=typeof o=="string"&&URL.canParse(o)?new URL(o):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function jt(o){globalThis.open(o.href,"_blank","noopener,noreferrer")}var Ie=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Dt=120;function Le(o){let s=(String(o??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),i=/\.[^.]{1,16}$/.exec(s)?.[0]??"",n=s.length>Dt?s.slice(0,Dt-i.length).trimEnd()+i:s;return!n||Ie.test(n)?`download${n&&"-"}${n}`:n}function Ft(o,t){for(let e of o){let s=Re(e);s?Me(s,Le(e.name)):t?.(e)}}function Re({text:o,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof o=="string")return new Blob([o],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),i=>i.charCodeAt(0))],{type:s})}catch{return null}}function Me(o,t){let e=document.createElement("a");e.href=URL.createObjectURL(o),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var pt=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(s=>[...s.values()]);this.#e.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let i=this.#e.get(t)??new Map;i.delete(e),this.#e.set(t,i.set(e,s))}forget(t){this.#e.delete(t)}},Ne=globalThis,_e=Symbol.for("cloche.calm"),w=Ne[_e]??=new pt;function c(o,t={},...e){let s=document.createElement(o);for(let[i,n]of Object.entries(typeof t=="string"?{class:t}:t))i in s&&!i.includes("-")?Reflect.set(s,i,n):n!==""&&s.setAttribute(i,n);return s.append(...e.filter(i=>i!=null&&i!==!1)),s}function H(o){if(o.assignedSlot)return o.assignedSlot;let t=o.getRootNode();return o.parentElement??(t instanceof ShadowRoot?t.host:null)}var qt="http://www.w3.org/2000/svg";function $(o){let t=document.createElementNS(qt,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(qt,"path"),s={d:o,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[i,n]of Object.entries(s))e.setAttribute(i,n);return t.append(e),t}var Ce=700,Pe=100,De=100,B=2,W=class{#t=0;#e=0;#s=!1;#i=!1;#o="";#r=0;#n=new Set;#a;#h;constructor(t,e,s,i){this.shade=t,this.box=e,this.buttons=s,this.changed=i}start(){this.stop(),this.#o="",this.#i=!1,this.#p(),this.changed(!1),this.#l(),this.#f(),this.#m()}stop(){this.#s=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#r)}counts(t){return this.#c(),t.isTrusted&&this.#s}#l(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#p();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#d(),e),this.shade.addEventListener("keydown",i=>this.#w(i),e);for(let i of["pointerup","pointercancel","keyup"])addEventListener(i,()=>this.#u(),e);addEventListener("pointermove",i=>i.buttons===0&&this.#u(),e)}#f(){if(this.#n.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:De,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:i,target:n}=s;i?this.#n.delete(n):this.#n.add(n)}},t);for(let e of this.#x())this.#n.add(e),this.#h.observe(e)}#m(){this.#r=requestAnimationFrame(()=>{this.#c(),this.#m()})}#c(){let t=this.#x(),e=[this.box,...t].map(Ue).join(),s=e===this.#o;if(this.#o=e,!s||this.#i||!this.#v(t))return this.#p();let i=performance.now();this.#t+=Math.min(i-this.#e,Pe),this.#e=i,!this.#s&&this.#t>=Ce&&this.#g(!0)}#p(){this.#t=0,this.#e=performance.now(),this.#s&&this.#g(!1)}#g(t){this.#s=t,this.changed(t)}#d(){this.#c(),this.#s||(this.#i=!0)}#w(t){this.#c();let e=t.key==="Enter"||t.key===" ";this.#s&&!(e&&t.repeat)||(this.#i=!0,this.#p())}#u(){this.#i&&(this.#i=!1,this.#p())}#x(){return this.buttons.filter(t=>!t.hidden)}#v(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(je)&&t.every(s=>Fe(s)&&(!this.#n.has(s)||qe(s)))}};function Ue(o){let{x:t,y:e,width:s,height:i}=o.getBoundingClientRect();return`${t} ${e} ${s} ${i}`}function je(o){let{left:t,top:e,right:s,bottom:i,width:n}=o.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:h,height:l}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return n>0&&t>=r-1&&e>=a-1&&s<=r+h+1&&i<=a+l+1}function Fe(o){let{left:t,top:e,right:s,bottom:i}=o.getBoundingClientRect(),[n,r]=[(t+s)/2,(e+i)/2],a=o.getRootNode();return[[n,r],[t+B,r],[s-B,r],[n,e+B],[n,i-B]].every(([l,d])=>a.elementFromPoint(l,d)===o)}function qe(o){for(let t=o;t;t=H(t)){let{opacity:e,filter:s,transform:i}=getComputedStyle(t);if(e!=="1"||s!=="none"||i!=="none")return!0}return!1}var ze=0,L=class{#t=[];#e;#s;#i=!1;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let i=`cloche-question-${++ze}`;this.title=c("h2",{id:`${i}-title`}),this.text=c("p",{id:`${i}-text`}),this.details=c("pre",{tabIndex:0}),this.time=c("span",{class:"time",role:"timer"}),this.refuse=c("button",{class:"refuse",onclick:()=>this.#c(!1)}),this.lasting=c("button","lasting"),this.accept=c("button","accept main");let n=c("div","row",this.time,c("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=c("div",a,this.title,this.text,this.details,n),this.shade=c("div",{class:"shade",hidden:!0},this.box),this.#o=new W(this.shade,this.box,[this.lasting,this.accept],h=>this.#n(h)),this.accept.addEventListener("click",h=>this.#o.counts(h)&&this.#c(!0)),this.lasting.addEventListener("click",h=>this.#o.counts(h)&&this.#c("page")),this.shade.addEventListener("keydown",h=>this.#f(h)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(i=>{this.#t.push({key:t,question:e,resolve:i,seen:s}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);e===0?this.#c(!1):e>0&&this.#t.splice(e,1)[0].resolve(!1)}clear(){for(let{resolve:t}of this.#t.splice(1))t(!1);this.#t.length>0&&this.#c(!1)}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=$e(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.#s=void 0,this.shade.hidden=!1,w.begin(this),this.#h(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#a(),250),this.#a()}#n(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#s!==void 0||(this.#s=performance.now()+zt(e.question)*1e3,e.seen())}#a(){if(this.#t.length===0)return;let t=zt(this.#t[0].question),e=this.#s===void 0?t:(this.#s-performance.now())/1e3;if(e<=0)return this.#c(null);this.time.textContent=`No answer means no: ${String(Math.ceil(e)).padStart(String(t).length,He)} s`}#h(){let t=this.#l(),e=t.activeElement!==null;this.#i||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#l(){return this.panel.getRootNode()}#f(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.#c(!1)):t.key==="Tab"&&this.#m(t)}#m(t){let e=[this.details,this.refuse,this.lasting,this.accept].filter(r=>!r.hidden),s=this.#l(),i=e.findIndex(r=>r===s.activeElement),n=i<0?t.shiftKey?e.length-1:0:i+(t.shiftKey?-1:1);t.preventDefault(),e[(n+e.length)%e.length].focus()}#c(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#p(),e?.resolve(t)}#p(){clearInterval(this.#e),this.#o.stop();let t=this.#l(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#i&&this.giveBack(),this.#i=!1,w.end(this)}},He="\u2007",zt=o=>o.seconds??30;function $e(o){if(o==null)return"";if(typeof o!="object")return String(o);let t=Object.entries(o).map(([e,s])=>[e,Be(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}var Be=o=>typeof o=="string"?o:JSON.stringify(o)??"";var K=class{#t=new Map;#e=new Map;#s=[];#i=!1;#o=null;#r=new Map;pressed(t){t.repeat&&!this.#n(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#i=t.shiftKey,this.#l(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#n(t)||this.#a(t),this.#t.delete(t.code),this.#i=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,s){let i=performance.now(),n=i+1e3;this.#r.set(t,{until:n,taken:s}),this.#o={at:i,until:n,field:e,isShifted:this.#i}}acquit(t){this.#r.delete(t),this.#r.size===0&&(this.#o=null)}doubt(t){return Math.max(0,(this.#r.get(t)?.until??0)-performance.now())}#n({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#o;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:i,shiftKey:n,altKey:r,ctrlKey:a,metaKey:h,isComposing:l}=t;if(!(s.length>1&&s!=="Backspace"||r||a||h||l)){this.#e.set(i,t.timeStamp),n===e.isShifted&&this.#h({key:s,code:i,at:e.at,types:!0},e.field);for(let[d,{until:f,taken:g}]of this.#r)this.#r.delete(d),performance.now()<f&&g()}}#h({key:t,code:e,at:s},i){if(!i?.isConnected)return;let n=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!i.dispatchEvent(n))return;let r=i;if(t==="Enter"&&i.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,h=r.value?.length,d=this.#s.filter(x=>x.field===i&&x.at>s).reduce((x,{step:z})=>x+z,0),f=d>0?0:Number(r.selectionEnd)-Number(a);a!==null&&d>0&&r.setSelectionRange(a-d,a-d),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||Ht(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let g=t==="Delete"?a:Number(a)+r.value?.length-h+f;a!==null&&r.setSelectionRange(g,g),this.#l(i,t,s)}#l(t,e,s){this.#s=[...this.#s.filter(i=>performance.now()-i.at<3e4),{field:t,at:s,step:Ht(e)}]}};function Ht(o){return o==="Backspace"?-1:[...o].length===1?o.length:0}var We=3,Ke=6e4,Ve=300,Ge=500,Je=100,$t=1e3,Xe=250,Bt=20,Ye="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Qe="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",ft=class{#t=new Map;#e=null;#s=null;#i=-1/0;#o=-1/0;#r=!1;#n=null;#a=null;#h=!1;#l=new K;#f;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#m()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#s!==t?this.#T(t,this.#e):this.#s=null,this.#S(e,this.#e))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#y()?Xe:0,this.#l.doubt(t))}get isWriting(){return Kt(this.#s===null&&this.#x()?this.#e:V())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let s=this.#t.get(t);!s||this.#s!==null||this.#r||e.at<s.hadUntil||(s.keys.push(e),this.#E(t,s))}#m(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#c(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#d()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#i=e.timeStamp)},t),addEventListener("keydown",e=>this.#w(e),t),addEventListener("keyup",e=>this.#l.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#u(),t),this.#e=V()}#c(t){this.#n=this.#a=null;let[e]=t.composedPath(),s=this.#r&&e===this.#e;this.#r=!1,e instanceof HTMLElement&&!s&&this.#p(e)}#p(t){this.#e=t,this.#i=performance.now(),this.#g();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#g(){let t=this.#s&&this.#t.get(this.#s);t&&(t.hadUntil=performance.now()),this.#s=null}#d(){V()===null&&document.hasFocus()&&this.#p(null)}#w(t){t.isTrusted&&(this.#g(),this.#i=t.timeStamp,this.#l.pressed(t),this.#n=t.key==="Tab"?t:null,!this.#n&&!t.ctrlKey&&!t.metaKey&&(this.#o=performance.now()))}#u(t=0){clearTimeout(this.#f);let e=this.#x();this.#r=!e&&t===Bt,!e&&!document.hasFocus()&&t<Bt&&(this.#f=setTimeout(()=>this.#u(t+1),t));let s=e&&this.#t.get(e);s&&this.#E(e,s)}#x(){return[...this.#t.keys()].find(t=>Wt(t).activeElement===t)}#v(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:i}=this.#n??{timeStamp:-1/0,defaultPrevented:!0},n=!i&&performance.now()-s<Ge;return e||n||this.#e===null||!this.#e.isConnected}#y(){return this.#e?.isConnected===!0&&this.#e.matches(Ye)}#b(t,e){this.#s=t,e.keys=[]}async#E(t,e){if(this.#v(t))return this.#b(t,e);let s=this.#e,i=this.#i,n=this.#y(),r=t.closest("[inert]")!==null,a=performance.now()-this.#o<Ve;this.#l.suspect(t,s,e.sandbox.stolen);let h=setTimeout(()=>this.#T(t,s),a||r?0:Je),l=await(r?ut(0):Promise.race([e.sandbox.ask(),ut($t)]));clearTimeout(h);let d=l?.isKnown===!1&&l.isActive&&!e.wasActive&&!a,f=l!==null&&(l.pointedAt>i||d);if(this.#t.get(t)===e){if(!f)return this.#k(t,e,s,n,l!==null);this.#l.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:g})=>g>this.#i),this.#i===i&&(this.#b(t,e),V()===s&&e.sandbox.focus())}}async#k(t,e,s,i,n){if(this.#T(t,s),n&&await Promise.race([e.sandbox.ask(),ut($t)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(h=>r-h<Ke),r],(this.#S(e,s)||i||e.thefts.length>=We)&&e.sandbox.stolen()}#T(t,e){if(Wt(t).activeElement!==t)return;let s=this.#i;t.blur(),e?.focus({preventScroll:!0}),this.#i=s}#S(t,e){let s=t.keys.splice(0);for(let i of s)this.#l.reported(i,Kt(e)?e:null);return s.length>0}};function ut(o){return new Promise(t=>setTimeout(t,o,null))}function Wt(o){return o.getRootNode()}function Kt(o){return o!==null&&(o.isContentEditable||o.matches(Qe))}function V(){let o=document.activeElement;for(;o?.shadowRoot?.activeElement;)o=o.shadowRoot.activeElement;return o instanceof HTMLElement&&o!==document.body?o:null}var Ze=globalThis,ts=Symbol.for("cloche.keyboard"),y=Ze[ts]??=new ft;var u=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},A=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),F=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new u(-32001,t+": no answer")}request(t,e={},{id:s=A(),timeout:i=6e4,signal:n,onProgress:r,transfer:a}={}){let h,l;return new Promise((d,f)=>{if(l=x=>{let z=this.unanswered(t,s,x&&n);f(z),this.notify("notifications/cancelled",{requestId:s,reason:String(z)})},n?.aborted)throw this.unanswered(t,s,n);n?.addEventListener("abort",l);let g=()=>{clearTimeout(h),h=i&&setTimeout(l,i)};this.pending.set(s,{resolve:d,reject:f,progress:x=>(g(),r?.(x))}),g(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(h),n?.removeEventListener("abort",l)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:i,error:n}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):n?r?.reject(Object.assign(new u,n)):r?.resolve(i),r}async answer({id:t,method:e,params:s},i){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let n=i(e);if(t==null)return n?.(s);let r=new AbortController;this.running.set(t,r);let a=h=>r.signal.aborted||this.post({id:t,...h});try{if(!n)throw new u(-32601,"Not available: "+e);a({result:await n(s,r.signal,t)??{}})}catch(h){a({error:{code:+h?.code||-32603,message:String(h?.message??h),data:h?.data}})}finally{this.running.delete(t)}}},G=class extends F{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:i={},result:n,error:r}=t;if(T(t,j)&&!p(e)&&p(s?i:r??(n===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new u(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,i)=>{if(j(i)||typeof i=="function")return i;throw new u(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var os=1e4,ns,rs=10,as,Gt=()=>as??=hs();function hs(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let o=document.createElement("iframe");o.style.display="none",document.body.append(o);let t=o.contentDocument;for(let e=1;t?.body&&e<rs;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return o.remove(),!t?.body}var mt=(o,t=document.body)=>ns??=cs(o,t),Vt=!1;async function Jt(o,t){return Vt?!1:(Vt=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),mt(o,t))}function cs({url:o,origin:t},e){let s=A(),i=document.createElement("iframe");return i.setAttribute("sandbox","allow-scripts allow-same-origin"),i.style.display="none",i.src=`${o}#${s}`,new Promise(n=>{let r=l=>{clearTimeout(h),removeEventListener("message",a),i.remove(),n(l)},a=({source:l,origin:d,data:f})=>{l!==null&&l===i.contentWindow&&d===t&&f?.nonce===s&&r(f.leaky!==!1)},h=setTimeout(()=>r(!0),os);addEventListener("message",a),e.append(i)})}var Xt={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var Yt={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},Qt={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var Zt=o=>"Request "+o+" timed out",te=o=>"Request "+o+" was cancelled",ee=()=>"Transport is closed",se=()=>"This id is in use by a request that is not answered yet";var O={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},ps=4;function gt(o,{bytes:t,depth:e}){let s=[],i=t,n="";return T(o,a=>{let h=s.at(-1)??"",l=typeof a=="string"?a:"";return i-=ps+h.length+l.length+(Array.isArray(a)?a.length:0),i<0?n="is too large":l.isWellFormed()?Object(a)===a&&s.length>=e?n="is nested too deeply":(!j(a)||typeof a=="symbol"||!h.isWellFormed())&&(n="is not JSON"):n="holds half a character",!n},s)?null:n||"is not JSON"}function R(o){return typeof o=="object"&&!Array.isArray(o)&&o?.jsonrpc==="2.0"}var v=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},J=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new v(t.rate,t.burst,e),this.patience=new v(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=gt(t,this.limits);return e?this.#e(t,-32600,"The message "+e):R(t)?ie(t)?this.#t.has(t.id)?this.#e(t,-32600,se()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,s){return ie(t)?{code:e,message:s}:"drop"}},ie=o=>typeof o?.method=="string"&&/^(string|number)$/.test(typeof o.id);var us=20,fs=5,wt=new Map;function oe(o,t,e){return o?(addEventListener("message",ms,{capture:!0}),wt.set(o,{bucket:new v(fs,us),count:0,proxy:t,flooded:e}),()=>{wt.delete(o)}):()=>{}}function ms(o){if(o.isTrusted&&o.source===null&&o.origin==="null")return o.stopImmediatePropagation();let t=gs(o.source),e=t&&wt.get(t);e&&(o.source!==e.proxy()&&o.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function gs(o){let t=o&&"parent"in o?o:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ne="ui/notifications/sandbox-",ws="allow-scripts allow-same-origin allow-forms",bt=2e4,bs=5e3,xs=5e3,ys=1e4,ae=10,vs=30,re=ys/ae,Es=250,ks=.25,M=class{#t=A();#e=0;#s=0;#i=!1;#o=vs;#r=!1;#n=0;#a=[];#h=!1;#l=()=>{};#f=new Map;#m=0;#c=-1/0;#p=1/0;#g=[-1/0,1/0];#d=null;#w;constructor(t,e){this.options=t,this.bucket=new v(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",ws),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!Ts(this.options.sandbox))return this.#u("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#b),document.addEventListener("securitypolicyviolation",this.#y),this.element.addEventListener("load",()=>this.#v()),this.#x(bt),t.append(this.element);let e=s=>this.#u("flood",{count:s});this.#l=oe(this.element.contentWindow,()=>this.#k(),e),y.watch(this.element,{ask:()=>this.#S(),focus:()=>this.focus(),release:()=>this.#_(),stolen:()=>this.#u("focus")})}get isOver(){return this.#r}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#d&&(this.#x(bt),this.#T(e))}post(t){this.#d?.postMessage({message:t})}postBytes(t){this.#d?.postMessage({bytes:t},[t])}setTheme(t){this.#d?.postMessage({theme:t})}focus(){y.give(this.element),this.#d?.postMessage({focus:!0})}remove(){this.#r=!0,clearTimeout(this.#w),this.#l(),y.unwatch(this.element),removeEventListener("message",this.#b),document.removeEventListener("securitypolicyviolation",this.#y),this.#d?.close(),this.#d=null,this.element.remove()}#u(t,e){this.#r||(this.remove(),this.handlers.ended(t,e))}#x(t){clearTimeout(this.#w),this.#w=setTimeout(()=>this.#u("silent"),t)}#v(){if(this.#e+=1,this.#e>1)return this.#u("navigated");this.#d||this.#r||this.#x(bs)}#y=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#u("blocked")};#b=t=>{if(!this.#E(t))return;removeEventListener("message",this.#b);let{html:e}=this.options;e?this.#x(bt):clearTimeout(this.#w);let s=new MessageChannel;this.#d=s.port1,this.#d.onmessage=({data:r})=>this.#M(r);let i={nonce:this.#t},n={jsonrpc:"2.0",method:ne+"port",params:i};this.#k()?.postMessage(n,this.options.sandbox.origin,[s.port2]),e&&this.#T(e)};#E({source:t,origin:e,data:s}){return t!==null&&t===this.#k()&&e===this.options.sandbox.origin&&s?.method===ne+"proxy-ready"&&s.params?.nonce===this.#t}#k(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#T(t){let{frame:e,limits:s,theme:i}=this.options;try{let n=await t;clearTimeout(this.#w),this.setTheme(i);let r=!e.framed&&Gt();this.#d?.postMessage({html:n,frame:e,limits:s,deep:r}),this.#r||this.#O()}catch(n){this.#u("html",n)}}#S(){if(!this.#d)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#m,e=performance.now();return this.#d.postMessage({question:t}),new Promise(s=>this.#f.set(t,{at:e,told:s}))}#L({question:t,now:e,timeOrigin:s,isActive:i}){let n=this.#f.get(t);if(this.#f.delete(t),n&&typeof e=="number"){let[a,h]=this.#g;this.#g=[Math.max(a,e-performance.now()),Math.min(h,e-n.at)],this.#p=Math.min(Math.max(performance.timeOrigin-s,this.#g[0]),this.#g[1])}let r=typeof e=="number"&&!this.options.frame.framed;n?.told({pointedAt:this.#c-this.#p,isActive:i===!0,isKnown:r})}#R({pointedAt:t,typedAt:e,key:s,code:i,types:n}){typeof t=="number"&&(this.#c=Math.max(this.#c,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&y.pressed(this.element,{key:s,code:String(i),types:n===!0,at:Number(e)-this.#p})}#O(){this.#i=!1,this.#d?.postMessage({ping:++this.#s}),this.#I(0)}#I(t){let e=performance.now()+re;this.#w=setTimeout(()=>{if(this.#i)return void(this.#w=setTimeout(()=>this.#O(),xs));let s=t+(performance.now()-e>Es?ks:1);s>=this.#o?this.#u("unresponsive"):this.#I(s)},re)}#M(t){if(!this.bucket.take())return this.#u("flood",{count:2*this.options.limits.burst});this.#r||t===null||typeof t!="object"||(this.#i=!0,t.event==="navigated"||t.event==="flood"?this.#u(t.event,{count:Number(t.count)}):t.event==="told"?this.#L(t):t.event==="pressed"?this.#R(t):typeof t.event=="string"?this.#C(t):"message"in t&&this.#N(t))}#N({message:t,gesture:e,hasFocus:s}){let i=performance.now();this.#n=Math.max(this.#n,i+y.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#n}),this.#h||this.#A()}#_(){this.#n=0;for(let t of this.#a)t.until=0;this.#A()}#A(){for(this.#h=!1;!this.#r&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#A(),t);return}let[{message:e,gesture:s}]=this.#a.splice(0,1);this.handlers.message(e,s)}}#C(t){t.event==="loaded"&&(this.#o=ae,this.#S()),this.handlers.event(t)}};function Ts({url:o,origin:t,around:e=t}){let s=URL.canParse(o)?new URL(o):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}var X=class{#t=null;#e=[];#s=0;#i=0;#o=0;#r=!1;#n=!1;#a;#h=[];constructor(t,e,s,i){this.socket=t,this.view=e,this.opening=s,this.handlers=i}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#i})}else this.#e=[],this.#s=this.#i=this.#o=0,this.#r=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#r=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#s;return this.#e.push({n:s,frame:t}),this.#e.length>2e3?this.#u("overflow","The host did not answer for too long."):this.#r&&this.socket.send({...t,view:this.view,n:s}),!0}async ask(t,e,s){let i=n=>this.#n||this.send({answer:e,value:n});i(await t.ask(e,s,()=>i("seen")))}close(){this.#n||(this.#n=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#n||(t.mount?this.#l(t.mount):t.error?this.#u(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#f(t.resumed):t.got!==void 0?this.#m(t.got):t.n===this.#i+1&&this.#c(t))}#l(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#f(t){this.#m(t),this.#r=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#m(t){let e=this.#e.findIndex(s=>s.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#c(t){if(this.#i=t.n,this.#i-this.#o>=32?this.#p():this.#a??=setTimeout(()=>this.#p(),1e3),t.body===void 0)return this.#g(t);let e=this.#w(t.body);t.free?e.then(s=>this.#n||this.handlers.frame(s),()=>{}):this.#g(e)}#p(){clearTimeout(this.#a),this.#a=void 0,!(this.#n||!this.#r)&&(this.#o=this.#i,this.socket.send({view:this.view,got:this.#i}))}#g(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#d()}async#d(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#n)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#w(t){try{return{bytes:await he(new URL(t,this.socket.base).href)}}catch(e){throw this.#u("body",e instanceof Error?e.message:String(e)),e}}#u(t,e){this.#n||(this.close(),this.handlers.failed(t,e))}},Ss=4,As=500;async function he(o){for(let t=1;;t++){try{let e=await fetch(o,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=Ss)throw e}await new Promise(e=>setTimeout(e,As*2**(t-1)))}}var Y=async o=>new TextDecoder().decode(await he(o));var Os=new Map([...Object.entries(Xt).map(([o,t])=>[t,o]),...Object.entries(Qt)]),Is={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},Q=class{#t=!1;#e;#s;#i=[];constructor(t,e,s,i){this.packet=t,this.channel=e,this.stage=s,this.limits={...O,...t.limits},this.methods=new Set(t.methods??[]),this.#s=t.first??[],this.handlers={message:(n,r)=>this.#f(n,r),event:n=>this.#l(n),ended:(n,r)=>this.#a(n,r)},this.frame=i??this.#o(),this.frame.element.title=t.title||t.tool||"App"}#o(){let{sandbox:t,frame:e}=this.packet,s=Y(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:i}=this.stage.context();return new M({sandbox:t,frame:e,limits:this.limits,theme:i,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#n(t.message)||this.frame.post(t.message):this.stage.act(t)}#r(){for(let t of this.#s.splice(0))this.#i.push(JSON.stringify(t)),this.frame.post(t)}#n(t){return this.#i.length>0&&this.#i[0]===JSON.stringify(t)&&this.#i.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Is[t]}#l(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();_s.includes(t.event)&&this.channel.send(Ps(t))}#f(t,e){if(gt(t,this.limits)||!R(t))return;let s=Os.get(t.method)??t.method;if(s==="ui/initialize"&&t.id!==void 0)return this.#m(t);if(s==="ping"&&t.id!==void 0)return this.#g(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#r();if(s==="ui/notifications/size-changed")return this.#c(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#d(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let i=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...i})&&t.id!==void 0&&this.#d(t.id,-32600,"The message is too large")}#m({id:t,params:e={}}){let{initialize:s,limits:i}=this.packet,n={...this.stage.context()},r={...n.containerDimensions};r.height===void 0&&i?.maxHeight&&(r.maxHeight=i.maxHeight),n.containerDimensions=r;let a={...s,hostContext:{...s.hostContext,...n}};Pt.includes(e.protocolVersion)||(a.hostCapabilities=Ms(s)),this.#g(t,this.packet.profile?Ns(a,this.packet.profile):a),this.#t||this.report("initialize",{params:e,context:n}),this.#t=!0,this.stage.shown()}#c(t){let e=this.#e!==void 0;this.#p={...e?this.#p:{},...Rs(t,this.limits.maxHeight??6e3)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#p),this.report("size",this.#p)}))}#p={};#g(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#d(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Ls=1e4;function Rs(o,t){let e={},s={width:Ls,height:t};for(let i of["width","height"]){let n=o?.[i];typeof n=="number"&&n>=0&&(e[i]=Math.min(Math.ceil(n),s[i]))}return e}function Ms({hostCapabilities:o,hostContext:t}){let e=Object.entries(Yt).filter(([,s])=>s in o);return{...o,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function Ns({hostContext:o,...t},{context:e,withoutContext:s,omits:i}){let n=(r,a)=>Object.fromEntries(Object.entries(r).filter(([h])=>!a.includes(h)));return n({...t,hostContext:{...n(o,s),...e}},i)}var _s=["violation","error","console"],Cs=["event","message","directive","blocked","level"];function Ps(o){let t=Cs.filter(s=>typeof o[s]=="string"),e=Number.isSafeInteger(o.line)&&o.line>0?{line:o.line}:{};return{...Object.fromEntries(t.map(s=>[s,o[s].slice(0,500).toWellFormed()])),...e}}var b=new URL(".",import.meta.url).href,Ds="cloche.1",Us=250,js=1e4,Fs=1e3,ce=new Map;function N(o){let t=ce.get(o)??new xt(o);return ce.set(o,t),t}var xt=class{#t=new Map;#e=0;#s=null;#i=0;#o;constructor(t){this.base=t;let e=()=>{this.#o!==void 0&&!document.hidden&&this.#n()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>{if(!s&&this.isOpen)for(let i of this.#t.keys())this.send({close:i})})}get isOpen(){return this.#s?.readyState===WebSocket.OPEN}open(t,e){let s=new X(this,++this.#e,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#s&&this.#o===void 0&&this.#n(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#r(),Fs)}send(t){this.#s?.send(JSON.stringify(t))}#r(){clearTimeout(this.#o),this.#o=void 0;let t=this.#s;this.#s=null,t?.close(1e3)}#n(){clearTimeout(this.#o),this.#o=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Ds);this.#s=t,t.onopen=()=>{this.#i=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#s===t&&this.#a(e)}#a(t){if(this.#s=null,this.#t.size===0)return;this.#i+=1;for(let s of[...this.#t.values()])s.disconnected(this.#i,t.reason);let e=Math.min(js,Us*2**(this.#i-1));this.#o=setTimeout(()=>this.#n(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var le=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var Z=Object.fromEntries(le.split(`
`).filter(o=>o.startsWith("  --")).map(o=>o.slice(2,-1).split(": ")));var zs=300;function _(o){let t=o.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(o).colorScheme,s=document.querySelector("meta[name=color-scheme]"),i=(e==="normal"?s?.content??"":e).split(" "),[n,r]=[i.includes("light"),i.includes("dark")];return n&&r?de().matches?"dark":"light":n||r?r?"dark":"light":$s(Hs(o))?"dark":"light"}var de=()=>matchMedia("(prefers-color-scheme: dark)");function Hs(o){for(let t=o;t;t=H(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function $s(o){let[t,e]=o.split("("),[s,i,n]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*i+.114*n)/r<.5}function Bs(o){let t=getComputedStyle(o);return Object.fromEntries(Object.entries(Z).map(([e,s])=>{let i=t.getPropertyValue(e).trim();return[e,i&&i.length<=zs?i:s]}))}function tt(o,{displayMode:t,width:e,height:s}){return{theme:_(o),styles:{variables:Bs(o)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:o.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function pe(o,t){let e=Object.entries(t).filter(([s,i])=>JSON.stringify(i)!==JSON.stringify(o[s]));return Object.fromEntries(e)}function et(o){let t=new MutationObserver(o);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=de();return e.addEventListener("change",o),()=>{t.disconnect(),e.removeEventListener("change",o)}}var Ws="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",Ks=1e3,st=new Map,yt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=Y(new URL(t.html,b).href)}frame(t,e,s){let{sandbox:i,frame:n}=this.packet,r={...O,...this.packet.limits};return new M({sandbox:i,frame:n,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new C(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let i=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,n=i?s:new C(this,this.html,e);return i?n.frame.show(t,this.html,e):n.frame.start(t),n}shown(){setTimeout(()=>this.renew(),Ks)}remove(){this.#e=!0,this.#t?.frame.remove()}},C=class{#t=[];#e;constructor(t,e,s="light"){this.early=t.packet.early,this.frame=t.frame(e,s,{message:(i,n)=>this.#s(r=>r.message(i,n)),event:i=>{i.event==="loaded"&&t.shown(),this.#s(n=>n.event(i))},ended:(i,n)=>this.#s(r=>r.ended(i,n))})}static open(t,e,s){let i=st.get(t??"");return i?.packet.early?i.show(e,s):null}#s(t){this.#e?t(this.#e):this.#t.push(()=>this.#e&&t(this.#e))}handOver(t){this.#e=t;for(let e of this.#t.splice(0))e()}},it=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#s=[];#i;#o=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=Ws,this.#e=N(b).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#n(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#i&&this.#r(this.#i);for(let t of this.#s.splice(0))t.remove();this.#e?.close(),this.#e=null}#r(t){t.remove(),st.get(t.packet.view)===t&&st.delete(t.packet.view)}#n(t){let e=this.#i=new yt(t,this.#o);tt(this,{displayMode:"inline",width:0}),st.set(t.view,e),e.html.catch(()=>this.#r(e)),this.#a(e,Promise.resolve(""),s=>{this.#s=[s],e.renew(),this.#a(e,e.html,i=>{i.remove(),this.#t()})})}#a(t,e,s){let i=t.frame(e,"light",{message:()=>{},event:({event:n})=>n==="loaded"&&s(i),ended:()=>this.#t()});this.#s.push(i),i.start(this.#o)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",it);var Vs="cloche.sign-in";function ue(o){let t=new BroadcastChannel(Vs);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&o(e)},()=>t.close()}var fe=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
  grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
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
  grid-area: 4 / 1;
  padding: 4px 16px;
  border-top: var(--border-width-regular) solid var(--color-border-warning);
  background: var(--color-background-warning);
  color: var(--color-text-warning);
  font-size: var(--font-text-xs-size);
}

.progress {
  grid-area: 3 / 1;
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
  padding: 4px 12px;
  border-top: var(--border-width-regular) solid var(--color-border-primary);
  background: var(--color-background-secondary);
  color: var(--color-text-secondary);
  font-size: var(--font-text-xs-size);
  line-height: var(--font-text-xs-line-height);
}
.progress > progress {
  appearance: none;
  flex: 0 1 120px;
  min-width: 48px;
  height: 4px;
  border: 0;
  border-radius: var(--border-radius-full);
  overflow: hidden;
  background: var(--color-border-primary);
  accent-color: var(--color-text-primary);
}
.progress > progress::-webkit-progress-bar {
  background: var(--color-border-primary);
}
.progress > progress::-webkit-progress-value {
  background: var(--color-text-primary);
}
.progress > progress::-moz-progress-bar {
  background: var(--color-text-primary);
}
.progress > progress:indeterminate {
  animation: breathe 1.6s ease-in-out infinite;
}
.progress > progress:indeterminate::-webkit-progress-bar {
  background: var(--color-text-secondary);
}
.progress > progress:indeterminate::-moz-progress-bar {
  background: var(--color-text-secondary);
}
@keyframes breathe {
  50% {
    opacity: 0.3;
  }
}
@media (prefers-reduced-motion: reduce) {
  .progress > progress:indeterminate {
    animation: none;
  }
}
.progress > span {
  flex: 1;
  min-width: 0;
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
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
`;var ot;function nt(){return ot||(ot=new CSSStyleSheet,ot.replaceSync(fe.replaceAll(/var\((--[\w-]+)\)/g,(o,t)=>`var(${t}, ${Z[t]})`))),ot}var Js="M8 2a6 6 0 1 1-6 6",Xs="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",Ys="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",Qs=400,rt=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[nt()],this.name=c("span","name"),this.server=c("strong"),this.origin=c("span","origin",$(Ys),c("span",{},"App from ",this.server)),this.leave=c("button",{class:"leave",onclick:e.leave},"Leave full screen");let i=c("div","whose",this.name,this.origin);this.stage=c("div","stage"),this.loading=c("div",{class:"note loading",role:"status"},$(Js),c("div",{},"Loading the app")),this.hint=c("p"),this.retry=c("button",{onclick:e.retry},"Try again"),this.problem=c("div",{class:"note problem",role:"alert"},$(Xs),c("div",{},c("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=c("progress",{max:1,"aria-label":"Progress"}),this.step=c("span"),this.progress=c("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let n="The connection is lost. Trying again; what you do here is kept.";this.lost=c("div",{class:"lost",role:"status"},n),this.panel=c("dialog",{class:"panel bordered",role:"group"},c("header","bar",i,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:i,size:n,limits:r}){let a=String(t||e||"App");this.name.textContent=a,this.server.textContent=String(s??""),this.origin.hidden=!s,this.panel.setAttribute("aria-label",a),this.panel.classList.toggle("bordered",i!==!1),this.setHeight(n?.height??r?.firstHeight??Qs)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.panel.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){w.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),this.panel.setAttribute("role",t?"dialog":"group"),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var m=class extends Error{code="APP_LOAD_FAILED"},E=class extends m{code="APP_DISCONNECTED"},q=class extends m{code="APP_TIMEOUT"},I=class extends m{code="ORIGIN_NOT_ALLOWED"};var k=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var me=new URL("./app-frame.js",import.meta.url).href,at=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,s=vt(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let i=this.element.contentWindow,{document:n}=i,r=Object.assign(n.createElement("script"),{type:"module",src:me}),a=vt(r,"load");n.head.append(r),await a,e.throwIfAborted(),this.#t=i.clocheAppFrame,i.addEventListener("message",this.handlers.received,{signal:e}),n.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let h=vt(this.frame,"load");h.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(n.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,n.body.append(this.frame),await h}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new m("The app was unloaded")),this.element.remove()}};function vt(o,t){return new Promise((e,s)=>{o.addEventListener(t,()=>e(),{once:!0}),o.addEventListener("error",()=>s(new m(`${me} could not be loaded`)),{once:!0})})}var ge={name:"cloche",version:"1"},Zs=/^[a-z][a-z0-9-]{0,49}$/,ht=class extends k{state="loading";serverInfo=null;#t=new J(O);#e;#s;#i=new Map;#o=!1;#r=!1;#n=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=ei(t.options,e),this.holder=new at(this.frame,e.url,{received:s=>this.#m(s),left:()=>this.#b(new I(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#b(new E(`${this.name}: The app went to another page`))}),this.iframe=si(this.holder.element,t.options,e),this.transport=new G(s=>this.#f(s),s=>this.#w(s),s=>t.failed(s)),this.#n.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,i=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,n=setTimeout(()=>this.#n.reject(new q(i)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#n.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#l);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(n)}}#a(){this.#o=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#o&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#n.promise.catch(()=>{}).then(()=>this.#s||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#s=e,this.#e="transport",e.onMessage(s=>this.#c(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#b(new E(`${this.name}: the app closed the connection`))),this.#d())},()=>{}))}async connect(){if(await this.#n.promise,this.#e){let t={protocolVersion:_t,capabilities:{},clientInfo:ge},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#n.reject(new E(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#l);this.#s?.close(),this.holder.close()}focus(){this.frame.focus(),this.#l()}#l=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#f(t){this.#t.answered(t),this.#s?this.#s.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#m({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#c(s,()=>R(s)?void this.transport.receive(s):this.#p(s))}#c(t,e){let s=this.#t.judge(R(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#b(new E(`${this.name}: The app sent too many messages`)):p(s)?this.#f({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#p(t){let{type:e,payload:s}=p(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=s?.serverInfo??null,this.#o&&this.#a(),this.#d()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#y(s):this.#g(typeof e=="string"?e:"message",s??t,t)}#g(t,e,s){this.tell(t,e),t!=="message"&&this.tell("message",s),this.host.options.onAppMessage?.(s),this.host.tell("message",{app:this,message:s})}#d(){this.state==="loading"&&(this.state="ready"),this.#n.resolve()}#w(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#u();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:i})=>this.#v(i);if(t==="tools/call"&&e)return i=>this.#x(i);if(t==="resources/read"&&s)return({uri:i})=>s(String(i));if(t==="ui/notifications/size-changed")return i=>this.#y(i);if(t.includes("notifications/"))return i=>this.#g(t,i,{method:t,params:i})}#u(){this.#d();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:Ct,hostInfo:ge,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#x({name:t,arguments:e={}}){if(typeof t!="string"||!p(e))throw new u(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new u(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#v(t){if(typeof t!="string"||!Zs.test(t))throw new u(-32602,"A permission has a short name");let e=this.#i.get(t)??this.host.mayUse(t,this.id);return this.#i.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||w.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,O.maxHeight??0)}px`)}}#b(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#n.reject(t),this.host.unload(this.id),this.host.failed(t))}},ti="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function ei(o,t){let e=document.createElement("iframe");return we(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),o.csp&&e.setAttribute("csp",o.csp),o.csp&&!("csp"in e)&&console.warn(ti),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function si(o,t,e){we(e,o,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),o.title||=e.name??e.id,Object.assign(o.style,t.style);for(let s of["width","height"]){let i=e[s];i!==void 0&&(o.style[s]=typeof i=="number"?`${i}px`:i)}return o}function we({attributes:o={}},t,e){for(let s in o)e.test(s)&&t.setAttribute(s,o[s])}var ii=["allow-scripts"],oi=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,ni=o=>new Et(o),Et=class extends k{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:ii,...t};let{container:e,allowedOrigins:s}=t,i=typeof e=="string"?document.querySelector(e):e;if(!(i instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=i,this.allowedOrigins=ri(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new I(`${e.origin} is not one of allowedOrigins`);let s=ai(t.sandbox??this.options.sandbox,e),i=t.id??`app-${++this.#e}`;if(this.#t.has(i))throw new m(`There is an app with the id ${i} already`);let n=new ht(this,{...t,id:i,url:e,sandbox:s});this.#t.set(i,n);try{await n.open(this.container)}catch(r){throw this.unload(i),this.failed(r),r}return this.tell("load",n),n}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,s){let{hitl:i}=this.options;return!i||i.neverConfirm?.includes(t)&&!i.alwaysConfirm?.includes(t)?!0:await this.#s(()=>i.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#s(()=>s({permission:t,app:e}))}async#s(t){let e=this.options.hitl?.confirmationTimeout??3e4,s=new Promise(i=>setTimeout(i,e,!1));try{return await Promise.race([t(),s])===!0}catch(i){return this.failed(i),!1}}};function ri(o){if(!Array.isArray(o)||o.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of o)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...o]}function ai(o,t){let e=o.find(i=>oi.test(i));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(o.includes("allow-same-origin")&&o.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return o}var Ot=3e4,ci=256;var P=class extends Error{constructor(t,e){super(t),this.code=e}},ct=class extends P{constructor(){super(ee(),"TRANSPORT_CLOSED")}},Tt=class extends P{constructor(t){super(Zt(t),"REQUEST_TIMEOUT")}},St=class extends P{constructor(t){super(te(t),"REQUEST_CANCELLED")}};function be(o,t=16777216,e=!0){let s=[],i=0,n="",r=!1,a=T(o,l=>{n={}.toString.call(l).slice(8,-1);let d=n=="ArrayBuffer";return r||=d,i+=(s.at(-1)?.length??0)+(n=="String"?l.length:d?l.byteLength:2),n=="Number"&&!isFinite(l)&&(n=""+l),i<=t&&(d?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(n))},s),h=i>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is no name":" is a "+n);return{length:i,hasBuffers:r,flaw:a?"":h}}var ye=o=>JSON.parse(JSON.stringify(o)),ve=o=>typeof o=="number"||typeof o=="string"&&o.length<1e3,Ee=o=>"method"in o&&"id"in o;var li=o=>p(o)&&o.jsonrpc=="2.0"&&ve(o.id??0)&&("method"in o?typeof o.method=="string"&&p(o.params??{}):"result"in o!=p(o.error)),At=class extends F{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=ye(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new St(e):new Tt(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},D=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#s=[];#i=!1;rpc=new At(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#s.splice(0).forEach(this.#o),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:s=A()},i){return this.rpc.request(t,e,{timeout:Ot,...i,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof u)return ye({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,i={...t,type:s+(t.method?":request":":response")};this.say(this.#i?i:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:i,...n}=t??{},{messageType:r}=this;s===r&&this.deliver(i),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#i=!0,this.deliver({...n,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=li(t)?be(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!p(t)||!ve(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#o(t):this.#s.length<ci?this.#s.push(t):this.dropped++}violated(t){this.violations++,kt(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new ct),[...this.#e].forEach(kt))}release(){}#o=t=>{for(let e of[...this.#t])kt(()=>e(t))};verify(t){if(!this.isConnected)throw new ct;let{flaw:e,hasBuffers:s}=be(t,this.limit,this.carriesBuffers);if(e)throw new P("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function kt(o){try{await o()}catch(t){console.error(t)}}var di=o=>new It(o),It=class{#t;#e;#s=!1;#i=new Set;#o=new k;#r=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:i}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new D,{post:n=>{let r=n.method?"mcp:notification":"mcp:response";this.#n(Ee(n)?n:{type:r,payload:n})},farewell(){}}),s&&this.transport.serve(n=>async r=>{try{return await s(n,r)}catch(a){throw i?.(a),a}}),addEventListener("message",n=>this.#a(n))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#n({type:t,payload:e})}onMessage(t,e){return this.#o.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:Ot,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),i=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||i?!1:(this.#i.add(t),!0)}getPermissions(){return[...this.#i]}#n(t){for(let e of this.#r===null?this.options.allowedOrigins:[this.#r])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#r??=e,e!==this.#r||typeof s!="object"||s===null))return;let{type:i,payload:n,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):i==="mcp:request"?this.transport.deliver({...n,jsonrpc:"2.0"}):i==="app:init"?this.#h(n??{}):typeof i=="string"&&(i==="auth:refresh"&&this.#l(n),this.#o.tell(i,"payload"in s?n:s))}#h({data:t,authContext:e}){this.#s||(this.#s=!0,this.#l(e),this.#t=t,this.options.onInitialData?.(t))}#l(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var pi="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",ui="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",fi=50,Lt=class o extends HTMLElement{static origins=new Set([location.origin,new URL(b).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#s=null;#i=null;#o=null;#r=null;#n={};#a=[];#h;constructor(){super(),this.#t=new rt(this,{retry:()=>this.reload(),leave:()=>this.#y("inline")});let{panel:t,stage:e}=this.#t;this.#e=new L(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#T());t.observe(this),this.#a=[et(()=>this.#T()),()=>t.disconnect(),ue(e=>this.#i?.report("sign-in",{query:e}))],this.#l()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#c(),this.#E("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#S();this.#r=null,this.reload()}}setDisplayMode(t){this.#i&&this.#v(t)}focus(){this.#i?.frame.focus()}reload(){this.#c(),this.isConnected&&this.#l()}#l(){if(!this.#r&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#m())return this.#b("arguments","The attribute arguments is not a JSON object.");let t=this.#f();if(t===null)return this.#b("base",pi);this.#E("loading");let e=_(this);this.#t.setTheme(e),this.#o=t===b?C.open(this.getAttribute("view"),this.#t.stage,e):null;let s=!0;this.#s=N(t).open(()=>this.#p(),{mounted:i=>this.#g(i),frame:i=>this.#i?this.#i.receive(i):this.#u(i),waiting:i=>this.#t.setWaiting(i&&this.#i!==null),failed:(i,n)=>{if(i==="gone"&&s&&this.#i)return s=!1,void this.reload();this.#b(i,n)}})}#f(){let t=this.getAttribute("base");if(!t)return b;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&o.origins.has(s.origin)?s.href:null}#m(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return p(t)?t:null}catch{return null}}#c(){w.forget(this),this.#e.clear(),this.#i?.remove(),this.#o?.frame.remove(),this.#i=this.#o=null,this.#y("inline"),this.#s?.close(),this.#s=null,this.#t.setWaiting(!1),this.#t.setProgress(null)}#p(){this.#o||(this.#n=this.#k());let t={context:this.#o?{}:this.#n,origin:location.origin},e=this.#r??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#m(),...t}}async#g(t){let{leaky:e}=t,s=e?.do==="refuse";if(s||this.#d(t),!e)return;let i=this.#s,n=await(s?mt:Jt)(e.probe,this.#t.stage);!i||i!==this.#s||(n&&i.send({event:"leaky",refused:s}),s&&(n?this.#b("leaky",ui):this.#d(t)))}#d(t){let e=this.#s;if(!e)return;this.#r=t.ticket??this.#r,this.#t.describe(t),this.#o&&(this.#n=this.#k());let s=this.#w(t.early);this.#i=new Q(t,e,{shown:()=>this.#E("ready"),resized:({height:i})=>i===void 0||this.#t.setHeight(i),ended:(i,n)=>this.#b(i,n),escaped:()=>this.#e.isOpen||this.#y("inline"),act:i=>this.#u(i),context:()=>this.#n},s?.frame),s?s.handOver(this.#i.handlers):this.#i.frame.start(this.#t.stage)}#w(t){let e=this.#o;return this.#o=null,e?.early===t?e:(e?.frame.remove(),null)}#u(t){t.ask!==void 0?this.#s?.ask(this.#e,t.ask,t.question):t.unask!==void 0?this.#e.unask(t.unask):t.do==="open-link"?this.#x(t.url):t.do==="display-mode"?this.#v(t.mode,!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?Ft(t.files,()=>this.#i?.report("error",{message:"download"})):t.do==="remove"&&(this.#c(),this.#E("closed"))}async#x(t){let e=Ut(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,i={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#e.ask(e,i))&&jt(e)}#v(t,e=!1){w.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&y.isWriting);this.#y(s?"fullscreen":"inline")})}#y(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#i?.frame.focus(),this.#S()),this.#i?.report("display-mode",{mode:t})}#b(t,e){this.error={code:t,message:e},this.#c(),this.#E("error")}#E(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#k(){return tt(this,{displayMode:this.displayMode,...this.#t.room()})}#T(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#S()},fi)}#S(){this.#t.setTheme(_(this));let t=this.#k(),e=pe(this.#n,t);this.#n=t,!(!this.#i||Object.keys(e).length===0)&&(e.theme&&this.#i.frame.setTheme(t.theme),this.#i.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",Lt);var ke="mcp:",Te=(o,t,e=t)=>new Promise((s,i)=>{let n=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(ke+o,{signal:e},n).catch(i)}),Se=(o,t,e)=>{navigator.locks.request(ke+o,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var lt=class extends D{constructor(t=self,e){super(e),this.target=t.port??t;let s=(i,n)=>this.target.addEventListener(i,n,this.over);s("message",({data:i})=>this.take(i)),s("close",()=>this.ended()),t.addEventListener("error",({message:i})=>i||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Te(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):Se(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var Rt=class{stopWatching=()=>{};constructor(){this.host=c("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[nt()],this.panel=c("dialog",{class:"over",role:"presentation"});let e=c("div");t.append(this.panel),this.dialog=new L(this.panel,e,()=>{}),this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.refuse.click()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}async ask(t,e,s){this.host.isConnected||document.body.append(this.host);let i=this.dialog.ask(t,e,s);this.panel.open||(this.#t(),this.stopWatching=et(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let n=await i;return this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),n}unask(t){this.dialog.unask(t)}#t(){this.panel.style.colorScheme=_(document.body)}},mi,Mt=()=>mi??=new Rt;var Ae="notifications/initialized",dt=class{#t=new Map;#e=0;#s=null;#i=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:i}=t;if(s===Ae&&this.#i||(s===Ae&&(this.#i=!0),s==="initialize"&&this.#o(e)))return;if(s==="notifications/cancelled")return this.#r(t);if(!s||e===void 0)return this.toServer(t);let n=++this.#e,r=i?._meta?.progressToken;this.#t.set(n,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?i:{...i,_meta:{...i._meta,progressToken:n}};this.toServer({...t,id:n,...a?{params:a}:{}})}#o(t){this.#s&&this.toHost({...this.#s,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#s!==null||e!==void 0}#r(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let s=this.#t.get(t.params?.progressToken);return s&&this.toHost({...t,params:{...t.params,progressToken:s.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#s=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};var Sn=o=>new Nt(o),Nt=class extends EventTarget{state="connecting";error=null;#t=null;#e=!1;#s;#i=[];#o=new AbortController;constructor({ticket:t,transport:e,base:s=b}){super(),this.transport="onMessage"in e?e:new lt(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#s=new dt(i=>this.#h(i),i=>this.#l(i)),this.#i=[this.transport.onMessage(i=>this.#s.fromServer(i)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#f,this.#o),addEventListener("focus",this.#f,this.#o),this.#r()}close(){this.#m("closed",null)}async#r(){this.#e=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#m("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=N(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#e=!0,this.error=null,this.#c("offered")},frame:e=>this.#a(e),failed:(e,s)=>this.#n(e,s)}))}#n(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#c("connecting");let s=this.#e;if(this.#t?.close(),this.#t=null,this.#s.forget(),t!=="gone"||!s)return this.#m("error",{code:t,message:e});this.#c("connecting"),this.#r()}#a(t){t.bytes?this.#s.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s.fromHost(t.message):t.ask!==void 0?this.#t?.ask(Mt(),t.ask,t.question):t.unask!==void 0&&Mt().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#s.fromServer(Oe(t.id,`${e}`))}}#l(t){!this.#e||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Oe(t.id,"The answer is longer than the host takes")})}#f=()=>{!document.hidden&&this.#e&&this.#t?.send({event:"visible"})};#m(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#i.splice(0))s();this.#o.abort(),this.#s.forget(),this.#t?.close(),this.#t=null,this.error=e,this.#c(t)}}#c(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Oe=(o,t)=>({jsonrpc:"2.0",id:o,error:{code:-32603,message:t}});export{E as AppConnectionError,m as AppLoadError,q as AppTimeoutError,Lt as McpApp,it as McpAppPreload,Nt as OfferedServer,I as OriginNotAllowedError,di as createAppChild,ni as createAppHost,Sn as offerServer};
