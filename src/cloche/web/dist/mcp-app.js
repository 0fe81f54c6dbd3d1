var It="2025-11-25",Lt="2026-01-26",Rt=["2026-01-26","2025-11-21"];var f=i=>({}).toString.call(i)=="[object Object]",_=i=>f(i)||Array.isArray(i)||Object(i)!==i&&typeof i!="bigint",v=(i,t,e=[],s=0)=>t(i)&&(Object(i)!==i||s<256&&Object.keys(i).every(o=>(e.splice(s,256,o),o!="__proto__"&&v(i[o],t,e,s+1))));function Mt(i){let t=typeof i=="string"&&URL.canParse(i)?new URL(i):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function _t(i){globalThis.open(i.href,"_blank","noopener,noreferrer")}var ke=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Nt=120;function Se(i){let s=(String(i??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),o=/\.[^.]{1,16}$/.exec(s)?.[0]??"",n=s.length>Nt?s.slice(0,Nt-o.length).trimEnd()+o:s;return!n||ke.test(n)?`download${n&&"-"}${n}`:n}function Ct(i,t){for(let e of i){let s=Oe(e);s?Ae(s,Se(e.name)):t?.(e)}}function Oe({text:i,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof i=="string")return new Blob([i],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),o=>o.charCodeAt(0))],{type:s})}catch{return null}}function Ae(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var nt=class{#t=new Set;#s=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#s.values()].flatMap(s=>[...s.values()]);this.#s.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let o=this.#s.get(t)??new Map;o.delete(e),this.#s.set(t,o.set(e,s))}forget(t){this.#s.delete(t)}},Ie=globalThis,Le=Symbol.for("cloche.calm"),m=Ie[Le]??=new nt;var P=class{#t=0;#s=0;#i=!1;#e=!1;#o="";#n=0;#r=new Set;#a;#l;constructor(t,e,s,o){this.shade=t,this.box=e,this.buttons=s,this.changed=o}start(){this.stop(),this.#o="",this.#e=!1,this.#h(),this.changed(!1),this.#f(),this.#u(),this.#d()}stop(){this.#i=!1,this.#a?.abort(),this.#l?.disconnect(),cancelAnimationFrame(this.#n)}counts(t){return this.#c(),t.isTrusted&&this.#i}#f(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#h();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#g(),e),this.shade.addEventListener("keydown",o=>this.#w(o),e);for(let o of["pointerup","pointercancel","keyup"])addEventListener(o,()=>this.#m(),e);addEventListener("pointermove",o=>o.buttons===0&&this.#m(),e)}#u(){if(this.#r.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:100,threshold:[0,1]};this.#l=new IntersectionObserver(e=>{for(let s of e){let{isVisible:o,target:n}=s;o?this.#r.delete(n):this.#r.add(n)}},t);for(let e of this.#x())this.#r.add(e),this.#l.observe(e)}#d(){this.#n=requestAnimationFrame(()=>{this.#c(),this.#d()})}#c(){let t=this.#x(),e=[this.box,...t].map(Re).join(),s=e===this.#o;if(this.#o=e,!s||this.#e||!this.#b(t))return this.#h();let o=performance.now();this.#t+=Math.min(o-this.#s,100),this.#s=o,!this.#i&&this.#t>=700&&this.#p(!0)}#h(){this.#t=0,this.#s=performance.now(),this.#i&&this.#p(!1)}#p(t){this.#i=t,this.changed(t)}#g(){this.#c(),this.#i||(this.#e=!0)}#w(t){this.#c();let e=t.key==="Enter"||t.key===" ";this.#i&&!(e&&t.repeat)||(this.#e=!0,this.#h())}#m(){this.#e&&(this.#e=!1,this.#h())}#x(){return this.buttons.filter(t=>!t.hidden)}#b(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(Ne)&&t.every(s=>this.#v(s))}#v(t){return Me(t)&&(!this.#r.has(t)||_e(t))}};function Re(i){let{x:t,y:e,width:s,height:o}=i.getBoundingClientRect();return`${t} ${e} ${s} ${o}`}function Ne(i){let{left:t,top:e,right:s,bottom:o,width:n}=i.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:c,height:l}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return n>0&&t>=r-1&&e>=a-1&&s<=r+c+1&&o<=a+l+1}function Me(i){let{left:t,top:e,right:s,bottom:o}=i.getBoundingClientRect(),[n,r]=[(t+s)/2,(e+o)/2],a=i.getRootNode();return[[n,r],[t+2,r],[s-2,r],[n,e+2],[n,o-2]].every(([l,d])=>a.elementFromPoint(l,d)===i)}function _e(i){for(let t=i;t;t=Ce(t)){let{opacity:e,filter:s,transform:o}=getComputedStyle(t);if(e!=="1"||s!=="none"||o!=="none")return!0}return!1}function Ce(i){if(i.assignedSlot)return i.assignedSlot;let t=i.getRootNode();return i.parentElement??(t instanceof ShadowRoot?t.host:null)}function h(i,t={},...e){let s=document.createElement(i);for(let[o,n]of Object.entries(typeof t=="string"?{class:t}:t))o in s&&!o.includes("-")?Reflect.set(s,o,n):n!==""&&s.setAttribute(o,n);return s.append(...e.filter(o=>o!=null&&o!==!1)),s}var Dt="http://www.w3.org/2000/svg";function U(i){let t=document.createElementNS(Dt,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(Dt,"path"),s={d:i,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[o,n]of Object.entries(s))e.setAttribute(o,n);return t.append(e),t}var De=0,A=class{#t=[];#s;#i;#e=!1;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let o=`cloche-question-${++De}`;this.title=h("h2",{id:`${o}-title`}),this.text=h("p",{id:`${o}-text`}),this.details=h("pre",{tabIndex:0}),this.time=h("span",{class:"time",role:"timer"}),this.refuse=h("button",{class:"refuse",onclick:()=>this.#c(!1)}),this.lasting=h("button","lasting"),this.accept=h("button","accept main");let n=h("div","row",this.time,h("span","buttons",this.refuse,this.lasting,this.accept)),{title:r,text:a,details:c}=this,l={"aria-modal":"true","aria-labelledby":r.id,"aria-describedby":a.id};this.box=h("div",{class:"question",role:"alertdialog",tabIndex:-1,...l},r,a,c,n),this.shade=h("div",{class:"shade",hidden:!0},this.box),this.#o=new P(this.shade,this.box,[this.lasting,this.accept],d=>this.#r(d)),this.accept.addEventListener("click",d=>this.#o.counts(d)&&this.#c(!0)),this.lasting.addEventListener("click",d=>this.#o.counts(d)&&this.#c("page")),this.shade.addEventListener("keydown",d=>this.#u(d)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(o=>{this.#t.push({key:t,question:e,resolve:o,seen:s}),this.#t.length===1&&this.#n()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);e===0?this.#c(!1):e>0&&this.#t.splice(e,1)[0].resolve(!1)}clear(){for(let{resolve:t}of this.#t.splice(1))t(!1);this.#t.length>0&&this.#c(!1)}get isOpen(){return this.#t.length>0}#n(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=Ue(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.#i=void 0,this.shade.hidden=!1,m.begin(this),this.#l(),this.#o.start(),clearInterval(this.#s),this.#s=setInterval(()=>this.#a(),250),this.#a()}#r(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#i!==void 0||(this.#i=performance.now()+Pt(e.question)*1e3,e.seen())}#a(){if(this.#t.length===0)return;let t=Pt(this.#t[0].question),e=this.#i===void 0?t:(this.#i-performance.now())/1e3;if(e<=0)return this.#c(null);this.time.textContent=`No answer means no: ${String(Math.ceil(e)).padStart(String(t).length,Pe)} s`}#l(){let t=this.#f(),e=t.activeElement!==null;this.#e||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#f(){return this.panel.getRootNode()}#u(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.#c(!1)):t.key==="Tab"&&this.#d(t)}#d(t){let e=[this.details,this.refuse,this.lasting,this.accept].filter(r=>!r.hidden),s=this.#f(),o=e.findIndex(r=>r===s.activeElement),n=o<0?t.shiftKey?e.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),e[(n+e.length)%e.length].focus()}#c(t){let e=this.#t.shift();this.#t.length>0?this.#n():this.#h(),e?.resolve(t)}#h(){clearInterval(this.#s),this.#o.stop();let t=this.#f(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#e&&this.giveBack(),this.#e=!1,m.end(this)}},Pe="\u2007";function Pt(i){return i.seconds??30}function Ue(i){if(i==null)return"";if(typeof i!="object")return String(i);let t=Object.entries(i).map(([e,s])=>[e,Fe(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}function Fe(i){return typeof i=="string"?i:JSON.stringify(i)??""}var F=class{#t=new Map;#s=!1;#i=null;#e=new Map;pressed(t){t.repeat&&!this.#o(t)&&this.#n(t),this.#t.set(t.code,t.timeStamp),this.#s=t.shiftKey}released(t){this.#o(t)||this.#n(t),this.#t.delete(t.code),this.#s=t.shiftKey}suspect(t,e,s){let o=performance.now()+600;this.#e.set(t,{until:o,taken:s}),this.#i={until:o,field:e,caret:Ut(e),isShifted:this.#s}}acquit(t){this.#e.delete(t),this.#e.size===0&&(this.#i=null)}doubt(t){return Math.max(0,(this.#e.get(t)?.until??0)-performance.now())}#o({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#n(t){let e=this.#i;if(!t.isTrusted||!e||performance.now()>e.until)return;t.key==="Shift"&&(e.isShifted=!0);let{key:s,altKey:o,ctrlKey:n,metaKey:r,isComposing:a}=t;if(s.length>1&&s!=="Backspace"||o||n||r||a)return;for(let[l,{until:d,taken:y}]of this.#e)this.#e.delete(l),performance.now()<d&&y();let c=e.isShifted&&!t.shiftKey?He(s):s;c&&e.field?.isConnected&&je(c,e)}};function je(i,t){let{field:e,caret:s}=t,o=Ut(e),n=e,[r,a]=i==="Backspace"?["delete",-1]:["insertText",1],c=s!==null&&o!==null&&o>s;c&&n.setSelectionRange(s,s),document.execCommand(r,!1,i),c&&n.setSelectionRange(o+a,o+a),s!==null&&(t.caret=s+a)}function Ut(i){return i?.selectionStart??null}function He(i){let t=i.toUpperCase();return t!==i&&t.length===1?t:""}var ze=3,qe=6e4,$e=.3,Be=300,We=5e3,Ve=500,Ge=500,Ke=100,Je=250,Ye=20,Xe="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Qe="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",at=class{#t=new Map;#s=null;#i=-1/0;#e=null;#o=null;#n=null;#r=new F;#a;watch(t,e,s){this.#t.set(t,{isActive:e,stolen:s,thefts:[],staleUntil:0}),this.#n||this.#l()}unwatch(t){this.#t.delete(t),!(this.#t.size>0)&&(this.#n?.abort(),this.#n=null)}holdBack(t,e){let s=this.#t.get(t),o=e&&this.isWriting;return Math.max(o||this.#w()?Je:0,s?this.#r.doubt(s):0)}get isWriting(){return Ze(rt())}give(t){this.#o=t,t.focus({preventScroll:!0})}#l(){this.#n=new AbortController;let t={capture:!0,passive:!0,signal:this.#n.signal};addEventListener("focusin",e=>this.#f(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#d()),t),addEventListener("keydown",e=>this.#c(e),t),addEventListener("keyup",e=>this.#r.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#h(),t),this.#s=rt()}#f(t){this.#e=this.#o=null;let[e]=t.composedPath();e instanceof HTMLElement&&this.#u(e)}#u(t){this.#s=t;for(let e of this.#t.values()){let s=e.staleUntil=performance.now()+We;e.isActive().then(o=>{!o&&e.staleUntil===s&&(e.staleUntil=0)})}}#d(){rt()===null&&document.hasFocus()&&this.#u(null)}#c(t){t.isTrusted&&(this.#r.pressed(t),this.#e=t.key==="Tab"?t:null,!this.#e&&!t.ctrlKey&&!t.metaKey&&(this.#i=performance.now()))}#h(t=0){clearTimeout(this.#a);let e=this.#p();!e&&!document.hasFocus()&&t<Ye&&(this.#a=setTimeout(()=>this.#h(t+1),t));let s=e&&this.#t.get(e);!s||this.#g(e)||(this.#r.suspect(s,this.#s,s.stolen),e.closest("[inert]")?this.#b(e,s):performance.now()-this.#i<Be?this.#b(e,s,this.#m(e,s)):this.#x(e,s))}#p(){return[...this.#t.keys()].find(t=>Ft(t).activeElement===t)}#g(t){let e=this.#o===t;if(this.#o=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:o}=this.#e??{timeStamp:-1/0,defaultPrevented:!0},n=!o&&performance.now()-s<Ve;return e||n||this.#s===null||!this.#s.isConnected}#w(){return this.#s?.isConnected===!0&&this.#s.matches(Xe)}#m(t,e){if(performance.now()<e.staleUntil&&!t.matches(":hover")&&!matchMedia("(any-pointer: coarse)").matches)return Promise.resolve(!1);let o=new Promise(n=>setTimeout(n,this.#w()?Ke:Ge,!1));return Promise.race([e.isActive(),o])}async#x(t,e){await this.#m(t,e)?this.#r.acquit(e):this.#b(t,e)}#b(t,e,s=Promise.resolve(!1)){let o=this.#s;this.#w()&&e.stolen(),setTimeout(()=>{t.isConnected&&Ft(t).activeElement!==t||(t.blur(),o?.focus({preventScroll:!0}),s.then(n=>this.#v(e,n?$e:1)))})}#v(t,e){let s=performance.now();t.thefts=[...t.thefts.filter(o=>s-o.at<qe),{at:s,weight:e}],t.thefts.reduce((o,n)=>o+n.weight,0)>=ze&&t.stolen()}};function Ft(i){return i.getRootNode()}function Ze(i){return i!==null&&(i.isContentEditable||i.matches(Qe))}function rt(){let i=document.activeElement;for(;i?.shadowRoot?.activeElement;)i=i.shadowRoot.activeElement;return i instanceof HTMLElement&&i!==document.body?i:null}var ts=globalThis,es=Symbol.for("cloche.keyboard"),E=ts[es]??=new at;var ss;var is;function Ht(){return is??=os()}function os(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let i=document.createElement("iframe");i.style.display="none",document.body.append(i);let t=i.contentDocument;for(let e=1;t?.body&&e<10;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return i.remove(),!t?.body}function ht(i,t=document.body){return ss??=ns(i,t)}var jt=!1;async function zt(i,t){return jt?!1:(jt=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),ht(i,t))}function ns({url:i,origin:t},e){let s=crypto.randomUUID(),o=document.createElement("iframe");return o.setAttribute("sandbox","allow-scripts allow-same-origin"),o.style.display="none",o.src=`${i}#${s}`,new Promise(n=>{let r=l=>{clearTimeout(c),removeEventListener("message",a),o.remove(),n(l)},a=({source:l,origin:d,data:y})=>{l!==null&&l===o.contentWindow&&d===t&&y?.nonce===s&&r(y.leaky!==!1)},c=setTimeout(()=>r(!0),1e4);addEventListener("message",a),e.append(o)})}var qt={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var $t={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},Bt={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var Wt=i=>"Request "+i+" timed out",Vt=i=>"Request "+i+" was cancelled",Gt=()=>"Transport is closed",Kt=()=>"This id is in use by a request that is not answered yet";var k={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},hs=4;function ct(i,{bytes:t,depth:e}){let s=[],o=t,n="";return v(i,a=>{let c=s.at(-1)??"",l=typeof a=="string"?a:"";return o-=hs+c.length+l.length+(Array.isArray(a)?a.length:0),o<0?n="is too large":l.isWellFormed()?Object(a)===a&&s.length>=e?n="is nested too deeply":(!_(a)||typeof a=="symbol"||!c.isWellFormed())&&(n="is not JSON"):n="holds half a character",!n},s)?null:n||"is not JSON"}function lt(i){return typeof i=="object"&&!Array.isArray(i)&&i?.jsonrpc==="2.0"}var w=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},j=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new w(t.rate,t.burst,e),this.patience=new w(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#s(t,-32e3,"Too many messages: wait a moment"):"cut";let e=ct(t,this.limits);return e?this.#s(t,-32600,"The message "+e):lt(t)?Jt(t)?this.#t.has(t.id)?this.#s(t,-32600,Kt()):this.#t.size>=this.limits.pending?this.#s(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#s(t,e,s){return Jt(t)?{code:e,message:s}:"drop"}};function Jt(i){return typeof i?.method=="string"&&/^(string|number)$/.test(typeof i.id)}var cs=20,ls=5,dt=new Map;function Yt(i,t,e){return i?(addEventListener("message",ds,{capture:!0}),dt.set(i,{bucket:new w(ls,cs),count:0,proxy:t,flooded:e}),()=>{dt.delete(i)}):()=>{}}function ds(i){if(i.isTrusted&&i.source===null&&i.origin==="null")return i.stopImmediatePropagation();let t=fs(i.source),e=t&&dt.get(t);e&&(i.source!==e.proxy()&&i.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function fs(i){let t=i&&"parent"in i?i:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var Xt="ui/notifications/sandbox-",us="allow-scripts allow-same-origin allow-forms",Qt=2e4,ps=5e3,ms=5e3,gs=1e4,te=10,ws=30,Zt=gs/te,bs=250,xs=.25,I=class{#t=vs();#s=0;#i=0;#e=!1;#o=ws;#n=!1;#r=0;#a=[];#l=!1;#f=()=>{};#u=[];#d=null;#c;constructor(t,e){this.options=t,this.bucket=new w(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",us),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!ys(this.options.sandbox))return this.#h("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#m),document.addEventListener("securitypolicyviolation",this.#w),this.element.addEventListener("load",()=>this.#g()),this.#p(Qt),t.append(this.element);let e=s=>this.#h("flood",{count:s});this.#f=Yt(this.element.contentWindow,()=>this.#b(),e),E.watch(this.element,()=>this.#S(),()=>this.#h("focus"))}post(t){this.#d?.postMessage({message:t})}postBytes(t){this.#d?.postMessage({bytes:t},[t])}setTheme(t){this.#d?.postMessage({theme:t})}focus(){E.give(this.element),this.#d?.postMessage({focus:!0})}remove(){this.#n=!0,clearTimeout(this.#c),this.#f(),E.unwatch(this.element),removeEventListener("message",this.#m),document.removeEventListener("securitypolicyviolation",this.#w),this.#d?.close(),this.#d=null,this.element.remove()}#h(t,e){this.#n||(this.remove(),this.handlers.ended(t,e))}#p(t){clearTimeout(this.#c),this.#c=setTimeout(()=>this.#h("silent"),t)}#g(){if(this.#s+=1,this.#s>1)return this.#h("navigated");this.#d||this.#n||this.#p(ps)}#w=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#h("blocked")};#m=t=>{if(!this.#x(t))return;removeEventListener("message",this.#m),this.#p(Qt);let e=new MessageChannel;this.#d=e.port1,this.#d.onmessage=({data:n})=>this.#k(n);let s={nonce:this.#t},o={jsonrpc:"2.0",method:Xt+"port",params:s};this.#b()?.postMessage(o,this.options.sandbox.origin,[e.port2]),this.#v()};#x({source:t,origin:e,data:s}){return t!==null&&t===this.#b()&&e===this.options.sandbox.origin&&s?.method===Xt+"proxy-ready"&&s.params?.nonce===this.#t}#b(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#v(){let{frame:t,limits:e,theme:s}=this.options;try{let o=await this.options.html;clearTimeout(this.#c),this.setTheme(s);let n=!t.framed&&Ht();this.#d?.postMessage({html:o,frame:t,limits:e,deep:n}),this.#n||this.#y()}catch(o){this.#h("html",o)}}#S(){return this.#d?(this.#d.postMessage({active:!0}),new Promise(t=>this.#u.push(t))):Promise.resolve(!1)}#y(){this.#e=!1,this.#d?.postMessage({ping:++this.#i}),this.#E(0)}#E(t){let e=performance.now()+Zt;this.#c=setTimeout(()=>{if(this.#e)return this.#T();let s=t+(performance.now()-e>bs?xs:1);s>=this.#o?this.#h("unresponsive"):this.#E(s)},Zt)}#T(){this.#c=setTimeout(()=>this.#y(),ms)}#k(t){if(!this.bucket.take())return this.#h("flood",{count:2*this.options.limits.burst});if(!(this.#n||t===null||typeof t!="object"))if(this.#e=!0,t.event==="navigated"||t.event==="flood")this.#h(t.event,{count:Number(t.count)});else if(t.event==="active")for(let e of this.#u.splice(0))e(t.isActive===!0);else typeof t.event=="string"?this.#A(t):"message"in t&&this.#I(t)}#I({message:t,gesture:e,hasFocus:s}){let o=performance.now();this.#r=Math.max(this.#r,o+E.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#r}),this.#l||this.#O()}#O(){for(this.#l=!1;!this.#n&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#l=!0,setTimeout(()=>this.#O(),t);return}let[{message:e,gesture:s}]=this.#a.splice(0,1);this.handlers.message(e,s)}}#A(t){t.event==="loaded"&&(this.#o=te),this.handlers.event(t)}};function ys({url:i,origin:t,around:e=t}){let s=URL.canParse(i)?new URL(i):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}function vs(){let i=crypto.getRandomValues(new Uint8Array(16));return Array.from(i,t=>t.toString(16).padStart(2,"0")).join("")}var H=class{#t=null;#s=[];#i=0;#e=0;#o=0;#n=!1;#r=!1;#a;#l=[];constructor(t,e,s,o){this.socket=t,this.view=e,this.opening=s,this.handlers=o}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#e})}else this.#s=[],this.#i=this.#e=this.#o=0,this.#n=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#n=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#i;return this.#s.push({n:s,frame:t}),this.#s.length>2e3?this.#m("overflow","The host did not answer for too long."):this.#n&&this.socket.send({...t,view:this.view,n:s}),!0}close(){this.#r||(this.#r=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#r||(t.mount?this.#f(t.mount):t.error?this.#m(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#u(t.resumed):t.got!==void 0?this.#d(t.got):t.n===this.#e+1&&this.#c(t))}#f(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#u(t){this.#d(t),this.#n=!0,this.handlers.waiting?.(!1);for(let e of this.#s)this.socket.send({...e.frame,view:this.view,n:e.n})}#d(t){let e=this.#s.findIndex(s=>s.n>t);this.#s.splice(0,e<0?this.#s.length:e)}#c(t){if(this.#e=t.n,this.#e-this.#o>=32?this.#h():this.#a??=setTimeout(()=>this.#h(),1e3),t.body===void 0)return this.#p(t);let e=this.#w(t.body);t.free?e.then(s=>this.#r||this.handlers.frame(s),()=>{}):this.#p(e)}#h(){clearTimeout(this.#a),this.#a=void 0,!(this.#r||!this.#n)&&(this.#o=this.#e,this.socket.send({view:this.view,got:this.#e}))}#p(t){if(this.#l.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#l.push(t),this.#l.length===1&&this.#g()}async#g(){for(;this.#l.length>0;){try{let t=await this.#l[0];if(this.#r)return;this.handlers.frame(t)}catch{return}this.#l.shift()}}async#w(t){try{return{bytes:await ee(new URL(t,this.socket.base).href)}}catch(e){throw this.#m("body",e instanceof Error?e.message:String(e)),e}}#m(t,e){this.#r||(this.close(),this.handlers.failed(t,e))}},Es=4,Ts=500;async function ee(i){for(let t=1;;t++){try{let e=await fetch(i,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=Es)throw e}await new Promise(e=>setTimeout(e,Ts*2**(t-1)))}}async function z(i){return new TextDecoder().decode(await ee(i))}var ks=new Map([...Object.entries(qt).map(([i,t])=>[t,i]),...Object.entries(Bt)]),Ss={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},q=class{#t=!1;#s;#i;#e=[];constructor(t,e,s,o){this.packet=t,this.channel=e,this.stage=s,this.limits={...k,...t.limits},this.methods=new Set(t.methods??[]),this.#i=t.first??[],this.handlers={message:(n,r)=>this.#u(n,r),event:n=>this.#f(n),ended:(n,r)=>this.#a(n,r)},this.frame=o??this.#o(),this.frame.element.title=t.title||t.tool||"App"}#o(){let{sandbox:t,frame:e}=this.packet,s=z(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:o}=this.stage.context();return new I({sandbox:t,frame:e,limits:this.limits,theme:o,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#r(t.message)||this.frame.post(t.message):this.stage.act(t)}#n(){for(let t of this.#i.splice(0))this.#e.push(JSON.stringify(t)),this.frame.post(t)}#r(t){return this.#e.length>0&&this.#e[0]===JSON.stringify(t)&&this.#e.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#s!==void 0&&cancelAnimationFrame(this.#s),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#l(t)}),this.stage.ended(t,this.#l(t))}#l(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Ss[t]}#f(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();Rs.includes(t.event)&&this.channel.send(Ms(t))}#u(t,e){if(ct(t,this.limits)||!lt(t))return;let s=ks.get(t.method)??t.method;if(s==="ui/initialize"&&t.id!==void 0)return this.#d(t);if(s==="ping"&&t.id!==void 0)return this.#p(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#n();if(s==="ui/notifications/size-changed")return this.#c(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#g(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let o=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...o})&&t.id!==void 0&&this.#g(t.id,-32600,"The message is too large")}#d({id:t,params:e={}}){let{initialize:s,limits:o}=this.packet,n={...this.stage.context()},r={...n.containerDimensions};r.height===void 0&&o?.maxHeight&&(r.maxHeight=o.maxHeight),n.containerDimensions=r;let a={...s,hostContext:{...s.hostContext,...n}};Rt.includes(e.protocolVersion)||(a.hostCapabilities=Is(s)),this.#p(t,this.packet.profile?Ls(a,this.packet.profile):a),this.#t||this.report("initialize",{params:e,context:n}),this.#t=!0,this.stage.shown()}#c(t){let e=this.#s!==void 0;this.#h={...e?this.#h:{},...As(t,this.limits.maxHeight??6e3)},!e&&(this.#s=requestAnimationFrame(()=>{this.#s=void 0,this.stage.resized(this.#h),this.report("size",this.#h)}))}#h={};#p(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#g(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Os=1e4;function As(i,t){let e={};for(let[s,o]of[["width",Os],["height",t]]){let n=i?.[s];typeof n=="number"&&n>=0&&(e[s]=Math.min(Math.ceil(n),o))}return e}function Is({hostCapabilities:i,hostContext:t}){let e=Object.entries($t).filter(([,s])=>s in i);return{...i,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function Ls({hostContext:i,...t},{context:e,withoutContext:s,omits:o}){let n=(r,a)=>Object.fromEntries(Object.entries(r).filter(([c])=>!a.includes(c)));return n({...t,hostContext:{...n(i,s),...e}},o)}var Rs=["violation","error","console"],Ns=["event","message","directive","blocked","level"];function Ms(i){let t=Ns.filter(s=>typeof i[s]=="string"),e=Number.isSafeInteger(i.line)&&i.line>0?{line:i.line}:{};return{...Object.fromEntries(t.map(s=>[s,i[s].slice(0,500).toWellFormed()])),...e}}var g=new URL(".",import.meta.url).href,_s="cloche.1",Cs=250,Ds=1e4,Ps=1e3,se=new Map;function L(i=g){let t=se.get(i);if(t)return t;let e=new ft(i);return se.set(i,e),e}var ft=class{#t=new Map;#s=0;#i=null;#e=0;#o;constructor(t){this.base=t;let e=()=>{this.#o!==void 0&&!document.hidden&&this.#a()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>s||this.#n())}get isOpen(){return this.#i?.readyState===WebSocket.OPEN}open(t,e){let s=new H(this,++this.#s,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#i&&this.#o===void 0&&this.#a(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#r(),Ps)}send(t){this.#i?.send(JSON.stringify(t))}#n(){if(this.isOpen)for(let t of this.#t.keys())this.send({close:t})}#r(){clearTimeout(this.#o),this.#o=void 0;let t=this.#i;this.#i=null,t?.close(1e3)}#a(){clearTimeout(this.#o),this.#o=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),_s);this.#i=t,t.onopen=()=>{this.#e=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#f(e),t.onclose=e=>this.#i===t&&this.#l(e)}#l(t){if(this.#i=null,this.#t.size===0)return;this.#e+=1;for(let s of[...this.#t.values()])s.disconnected(this.#e,t.reason);let e=Math.min(Ds,Cs*2**(this.#e-1));this.#o=setTimeout(()=>this.#a(),e*(.75+Math.random()/2))}#f(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var Us="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",$=new Map;function ie({packet:i,html:t},e,s){let o={...k,...i.limits};return new I({sandbox:i.sandbox,frame:i.frame,limits:o,html:t,theme:e},s)}var B=class i{#t=[];#s;constructor(t,e){this.early=t.packet.early,this.frame=ie(t,e,{message:(s,o)=>this.#i(n=>n.message(s,o)),event:s=>this.#i(o=>o.event(s)),ended:(s,o)=>this.#i(n=>n.ended(s,o))})}static of(t,e){let s=$.get(t??"");return s?.packet.early?new i(s,e):null}#i(t){this.#s?t(this.#s):this.#t.push(()=>this.#s&&t(this.#s))}handOver(t){this.#s=t;for(let e of this.#t.splice(0))e()}},W=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#s=null;#i=[];#e="";#o=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=Us,this.#s=L(g).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#n(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){$.delete(this.#e);for(let t of this.#i.splice(0))t.remove();this.#s?.close(),this.#s=null}#n(t){let e=z(new URL(t.html,g).href);this.#e=t.view,$.set(t.view,{packet:t,html:e}),e.catch(()=>$.delete(t.view)),this.#r(Promise.resolve(""),t,s=>{this.#i=[s],this.#r(e,t,o=>{o.remove(),this.#t()})})}#r(t,e,s){let o=ie({packet:e,html:t},"light",{message:()=>{},event:({event:n})=>n==="loaded"&&s(o),ended:()=>this.#t()});this.#i.push(o),o.start(this.#o)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",W);var Fs="cloche.sign-in";function oe(i){let t=new BroadcastChannel(Fs);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&i(e)},()=>t.close()}var ne=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var V=Object.fromEntries(ne.split(`
`).filter(i=>i.startsWith("  --")).map(i=>i.slice(2,-1).split(": ")));var re=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
`;var G;function K(){return G||(G=new CSSStyleSheet,G.replaceSync(re.replaceAll(/var\((--[\w-]+)\)/g,(i,t)=>`var(${t}, ${V[t]})`))),G}var zs="M8 2a6 6 0 1 1-6 6",qs="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",$s="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",Bs=400,J=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[K()],this.name=h("span","name"),this.server=h("strong"),this.origin=h("span","origin",U($s),h("span",{},"App from ",this.server)),this.leave=h("button",{class:"leave",onclick:e.leave},"Leave full screen");let o=h("div","whose",this.name,this.origin);this.stage=h("div","stage"),this.loading=h("div",{class:"note loading",role:"status"},U(zs),h("div",{},"Loading the app")),this.reason=h("p","danger"),this.hint=h("p"),this.retry=h("button",{onclick:e.retry},"Try again"),this.problem=h("div",{class:"note problem",role:"alert"},U(qs),h("div",{},this.reason,this.hint),this.retry);let n="The connection is lost. Trying again; what you do here is kept.";this.lost=h("div",{class:"lost",role:"status"},n),this.panel=h("dialog",{class:"panel bordered",role:"group"},h("header","bar",o,this.leave),this.stage,this.loading,this.problem,this.lost),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:o,size:n,limits:r}){let a=String(t||e||"App");this.name.textContent=a,this.server.textContent=String(s??""),this.origin.hidden=!s,this.panel.setAttribute("aria-label",a),this.panel.classList.toggle("bordered",o!==!1),this.setHeight(n?.height??r?.firstHeight??Bs)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.panel.setAttribute("aria-busy",String(t==="loading")),this.reason.textContent="The app cannot be shown",this.hint.textContent=e?.message??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){m.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),this.panel.setAttribute("role",t?"dialog":"group"),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var Ws=300;function S(i){let t=i.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(i).colorScheme,s=document.querySelector("meta[name=color-scheme]"),o=(e==="normal"?s?.content??"":e).split(" "),[n,r]=[o.includes("light"),o.includes("dark")];return n&&r?ae().matches?"dark":"light":n||r?r?"dark":"light":Ks(Vs(i))?"dark":"light"}function ae(){return matchMedia("(prefers-color-scheme: dark)")}function Vs(i){for(let t=i;t;t=t.parentElement??Gs(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function Gs(i){let t=i.getRootNode();return t instanceof ShadowRoot?t.host:null}function Ks(i){let[t,e]=i.split("("),[s,o,n]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*o+.114*n)/r<.5}function Js(i){let t=getComputedStyle(i);return Object.fromEntries(Object.entries(V).map(([e,s])=>{let o=t.getPropertyValue(e).trim();return[e,o&&o.length<=Ws?o:s]}))}function he(i,{displayMode:t,width:e,height:s}){return{theme:S(i),styles:{variables:Js(i)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:i.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function ce(i,t){let e=Object.entries(t).filter(([s,o])=>JSON.stringify(o)!==JSON.stringify(i[s]));return Object.fromEntries(e)}function Y(i){let t=new MutationObserver(i);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=ae();return e.addEventListener("change",i),()=>{t.disconnect(),e.removeEventListener("change",i)}}var p=class extends Error{code="APP_LOAD_FAILED"},b=class extends p{code="APP_DISCONNECTED"},C=class extends p{code="APP_TIMEOUT"},O=class extends p{code="ORIGIN_NOT_ALLOWED"};var x=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var le=new URL("./app-frame.js",import.meta.url).href,X=class{#t;#s=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#s,s=ut(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let o=this.element.contentWindow,{document:n}=o,r=Object.assign(n.createElement("script"),{type:"module",src:le}),a=ut(r,"load");n.head.append(r),await a,e.throwIfAborted(),this.#t=o.clocheAppFrame,o.addEventListener("message",this.handlers.received,{signal:e}),n.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let c=ut(this.frame,"load");c.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(n.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,n.body.append(this.frame),await c}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#s.abort(new p("The app was unloaded")),this.element.remove()}};function ut(i,t){return new Promise((e,s)=>{i.addEventListener(t,()=>e(),{once:!0}),i.addEventListener("error",()=>s(new p(`${le} could not be loaded`)),{once:!0})})}var u=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},pt=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),D=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new u(-32001,t+": no answer")}request(t,e={},{id:s=pt(),timeout:o=6e4,signal:n,onProgress:r,transfer:a}={}){let c,l;return new Promise((d,y)=>{if(l=ot=>{let At=this.unanswered(t,s,ot&&n);y(At),this.notify("notifications/cancelled",{requestId:s,reason:String(At)})},n?.aborted)throw this.unanswered(t,s,n);n?.addEventListener("abort",l);let it=()=>{clearTimeout(c),c=o&&setTimeout(l,o)};this.pending.set(s,{resolve:d,reject:y,progress:ot=>(it(),r?.(ot))}),it(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(c),n?.removeEventListener("abort",l)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:o,error:n}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):n?r?.reject(Object.assign(new u,n)):r?.resolve(o),r}async answer({id:t,method:e,params:s},o){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let n=o(e);if(t==null)return n?.(s);let r=new AbortController;this.running.set(t,r);let a=c=>r.signal.aborted||this.post({id:t,...c});try{if(!n)throw new u(-32601,"Not available: "+e);a({result:await n(s,r.signal,t)??{}})}catch(c){a({error:{code:+c?.code||-32603,message:String(c?.message??c),data:c?.data}})}finally{this.running.delete(t)}}},Q=class extends D{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:o={},result:n,error:r}=t;if(v(t,_)&&!f(e)&&f(s?o:r??(n===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new u(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,o)=>{if(_(o)||typeof o=="function")return o;throw new u(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var de={name:"cloche",version:"1"},Zs=/^[a-z][a-z0-9-]{0,49}$/,Z=class{state="loading";serverInfo=null;#t=new x;#s=new j(k);#i;#e;#o=new Map;#n=!1;#r=!1;#a=Promise.withResolvers();constructor(t,e){this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=ei(t.options,e),this.holder=new X(this.frame,e.url,{received:s=>this.#h(s),left:()=>this.#E(new O(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#E(new b(`${this.name}: The app went to another page`))}),this.iframe=si(this.holder.element,t.options,e),this.transport=new Q(s=>this.#c(s),s=>this.#x(s),s=>t.failed(s)),this.#a.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,s=setTimeout(()=>this.#a.reject(new C(`${this.name}: no answer in ${e} ms${this.#u()}`)),e),o=this.holder.open(t);o.catch(()=>{});try{await Promise.race([o,this.#a.promise]),this.#l(),this.#f(e);for(let n of["focus","blur","focusin","focusout"])addEventListener(n,this.#d);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(s)}}#l(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#f(t){let e=this.holder.transport(this.origin,t);e&&(this.#a.promise.catch(()=>{}).then(()=>this.#e||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#e=e,this.#i="transport",e.onMessage(s=>this.#p(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#E(new b(`${this.name}: the app closed the connection`))),this.#m())},()=>{}))}#u(){return this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}async connect(){if(await this.#a.promise,this.#i){let t={protocolVersion:It,capabilities:{},clientInfo:de},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#a.reject(new b(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#d);this.#e?.close(),this.holder.close()}focus(){this.frame.focus(),this.#d()}#d=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#c(t){this.#s.answered(t),this.#e?this.#e.send(t):this.#i&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}on(t,e){return this.#t.on(t,e)}onMessage(t){return this.on("message",t)}#h({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#p(s,()=>fe(s)?void this.transport.receive(s):this.#g(s))}#p(t,e){let s=this.#s.judge(fe(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#E(new b(`${this.name}: The app sent too many messages`)):f(s)?this.#c({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#g(t){let{type:e,payload:s}=f(t)?t:{};e==="app:ready"?(this.#i??="envelopes",this.serverInfo=s?.serverInfo??null,this.#n&&this.#l(),this.#m()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#y(s):this.#w(typeof e=="string"?e:"message",s??t,t)}#w(t,e,s){this.#t.tell(t,e),t!=="message"&&this.#t.tell("message",s),this.host.options.onAppMessage?.(s),this.host.emit("message",{app:this,message:s})}#m(){this.state==="loading"&&(this.state="ready"),this.#a.resolve()}#x(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#b();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:o})=>this.#S(o);if(t==="tools/call"&&e)return o=>this.#v(o);if(t==="resources/read"&&s)return({uri:o})=>s(String(o));if(t==="ui/notifications/size-changed")return o=>this.#y(o);if(t.includes("notifications/"))return o=>this.#w(t,o,{method:t,params:o})}#b(){this.#m();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:Lt,hostInfo:de,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#v({name:t,arguments:e={}}){if(typeof t!="string"||!f(e))throw new u(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new u(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#S(t){if(typeof t!="string"||!Zs.test(t))throw new u(-32602,"A permission has a short name");let e=this.#o.get(t)??this.host.mayUse(t,this.id);return this.#o.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||m.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,k.maxHeight??0)}px`)}}#E(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#a.reject(t),this.host.unload(this.id),this.host.failed(t))}},fe=i=>f(i)&&i.jsonrpc==="2.0",ti="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function ei(i,t){let e=document.createElement("iframe");for(let[s,o]of Object.entries(t.attributes??{}))/^(lang|loading|allow)$/.test(s)&&e.setAttribute(s,o);return e.setAttribute("sandbox",t.sandbox.join(" ")),i.csp&&e.setAttribute("csp",i.csp),i.csp&&!("csp"in e)&&console.warn(ti),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function si(i,t,e){for(let[n,r]of Object.entries(e.attributes??{}))/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/.test(n)&&i.setAttribute(n,r);i.title||=e.name??e.id;let{width:s,height:o}=e;return Object.assign(i.style,t.style,s!==void 0&&{width:ue(s)},{...o!==void 0&&{height:ue(o)}}),i}function ue(i){return typeof i=="number"?`${i}px`:i}var ii=["allow-scripts"],oi=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i;function ni(i){return new mt(i)}var mt=class{#t=new Map;#s=new x;#i=0;constructor(t){this.options={connectionTimeout:3e4,sandbox:ii,...t};let{container:e,allowedOrigins:s}=t,o=typeof e=="string"?document.querySelector(e):e;if(!(o instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=o,this.allowedOrigins=ri(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new O(`${e.origin} is not one of allowedOrigins`);let s=ai(t.sandbox??this.options.sandbox,e),o=t.id??`app-${++this.#i}`;if(this.#t.has(o))throw new p(`There is an app with the id ${o} already`);let n=new Z(this,{...t,id:o,url:e,sandbox:s});this.#t.set(o,n);try{await n.open(this.container)}catch(r){throw this.unload(o),this.failed(r),r}return this.emit("load",n),n}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.emit("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}on(t,e){return this.#s.on(t,e)}emit(t,e){this.#s.tell(t,e)}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.#s.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.emit("error",t)}async mayCall(t,e,s){let{hitl:o}=this.options,n=o&&(!o.neverConfirm?.includes(t)||o.alwaysConfirm?.includes(t));return!o||!n?!0:await this.#e(()=>o.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#e(()=>s({permission:t,app:e}))}async#e(t){let e,s=this.options.hitl?.confirmationTimeout??3e4,o=new Promise(n=>e=setTimeout(n,s,!1));try{return await Promise.race([t(),o])===!0}catch(n){return this.failed(n),!1}finally{clearTimeout(e)}}};function ri(i){if(!Array.isArray(i)||i.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of i)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...i]}function ai(i,t){let e=i.find(o=>oi.test(o));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(i.includes("allow-same-origin")&&i.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return i}var yt=3e4,ci=256;var R=class extends Error{constructor(t,e){super(t),this.code=e}},tt=class extends R{constructor(){super(Gt(),"TRANSPORT_CLOSED")}},wt=class extends R{constructor(t){super(Wt(t),"REQUEST_TIMEOUT")}},bt=class extends R{constructor(t){super(Vt(t),"REQUEST_CANCELLED")}};function pe(i,t=16777216,e=!0){let s=[],o=0,n="",r=!1,a=v(i,l=>{n={}.toString.call(l).slice(8,-1);let d=n=="ArrayBuffer";return r||=d,o+=(s.at(-1)?.length??0)+(n=="String"?l.length:d?l.byteLength:2),n=="Number"&&!isFinite(l)&&(n=""+l),o<=t&&(d?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(n))},s),c=o>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is no name":" is a "+n);return{length:o,hasBuffers:r,flaw:a?"":c}}var ge=i=>JSON.parse(JSON.stringify(i)),we=i=>typeof i=="number"||typeof i=="string"&&i.length<1e3;var li=i=>f(i)&&i.jsonrpc=="2.0"&&we(i.id??0)&&("method"in i?typeof i.method=="string"&&f(i.params??{}):"result"in i!=f(i.error)),xt=class extends D{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=ge(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new bt(e):new wt(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},N=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#s=new Set;#i=[];#e=!1;rpc=new xt(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#i.splice(0).forEach(this.#o),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#s.add(t),()=>{this.#s.delete(t)}}request({method:t,params:e,id:s=pt()},o){return this.rpc.request(t,e,{timeout:yt,...o,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof u)return ge({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,o={...t,type:s+(t.method?":request":":response")};this.say(this.#e?o:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:o,...n}=t??{},{messageType:r}=this;s===r&&this.deliver(o),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#e=!0,this.deliver({...n,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=li(t)?pe(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!f(t)||!we(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#o(t):this.#i.length<ci?this.#i.push(t):this.dropped++}violated(t){this.violations++,gt(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new tt),[...this.#s].forEach(gt))}release(){}#o=t=>{for(let e of[...this.#t])gt(()=>e(t))};verify(t){if(!this.isConnected)throw new tt;let{flaw:e,hasBuffers:s}=pe(t,this.limit,this.carriesBuffers);if(e)throw new R("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function gt(i){try{await i()}catch(t){console.error(t)}}function di(i){return new vt(i)}var vt=class{#t;#s;#i=!1;#e=new Set;#o=new x;#n=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:o}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=new Et(n=>this.#r(n)),s&&this.transport.serve(n=>async r=>{try{return await s(n,r)}catch(a){throw o?.(a),a}}),addEventListener("message",n=>this.#a(n))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#s}postMessage(t,e){this.#r({type:t,payload:e})}onMessage(t,e){return this.#o.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:yt,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),o=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||o?!1:(this.#e.add(t),!0)}getPermissions(){return[...this.#e]}#r(t){for(let e of this.#n===null?this.options.allowedOrigins:[this.#n])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#n??=e,e!==this.#n||typeof s!="object"||s===null))return;let{type:o,payload:n,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):o==="mcp:request"?this.transport.deliver({...n,jsonrpc:"2.0"}):o==="app:init"?this.#l(n??{}):typeof o=="string"&&(o==="auth:refresh"&&this.#f(n),this.#o.tell(o,"payload"in s?n:s))}#l({data:t,authContext:e}){this.#i||(this.#i=!0,this.#f(e),this.#t=t,this.options.onInitialData?.(t))}#f(t){this.#s=t,t!==void 0&&this.options.onAuthContext?.(t)}},Et=class extends N{constructor(t){super(),this.carry=t}post(t){let e="method"in t&&"id"in t;this.carry(e?t:{type:t.method?"mcp:notification":"mcp:response",payload:t})}farewell(){}};var fi="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",ui="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",pi=50,Tt=class i extends HTMLElement{static origins=new Set([location.origin,new URL(g).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#s;#i=null;#e=null;#o=null;#n=null;#r={};#a=[];#l;constructor(){super(),this.#t=new J(this,{retry:()=>this.reload(),leave:()=>this.#y("inline")}),this.#s=new A(this.#t.panel,this.#t.stage,()=>this.#e?.frame.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#O());t.observe(this),this.#a=[Y(()=>this.#O()),()=>t.disconnect(),oe(e=>this.#e?.report("sign-in",{query:e}))],this.#f()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#l),this.#l=void 0,this.#c(),this.#k("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#A();this.#n=null,this.reload()}}setDisplayMode(t){this.#e&&this.#S(t)}focus(){this.#e?.frame.focus()}reload(){this.#c(),this.isConnected&&this.#f()}#f(){if(!this.#n&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#d())return this.#T("arguments","The attribute arguments is not a JSON object.");let t=this.#u();if(t===null)return this.#T("base",fi);this.#k("loading"),this.#r=this.#I(),this.#t.setTheme(S(this)),this.#o=t===g?B.of(this.getAttribute("view"),S(this)):null,this.#o?.frame.start(this.#t.stage);let e=!0;this.#i=L(t).open(()=>this.#h(),{mounted:s=>this.#p(s),frame:s=>this.#e?this.#e.receive(s):this.#x(s),waiting:s=>this.#t.setWaiting(s&&this.#e!==null),failed:(s,o)=>{if(s==="gone"&&e&&this.#e)return e=!1,void this.reload();this.#T(s,o)}})}#u(){let t=this.getAttribute("base");if(!t)return g;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&i.origins.has(s.origin)?s.href:null}#d(){try{return f(JSON.parse(this.getAttribute("arguments")||"{}"))}catch{return!1}}#c(){m.forget(this),this.#s.clear(),this.#e?.remove(),this.#o?.frame.remove(),this.#e=this.#o=null,this.#y("inline"),this.#i?.close(),this.#i=null,this.#t.setWaiting(!1)}#h(){let t={context:this.#r,origin:location.origin},e=this.#n??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:JSON.parse(this.getAttribute("arguments")||"{}"),...t}}async#p(t){let{leaky:e}=t;if(e?.do!=="refuse"&&this.#g(t),!e)return;let s=this.#i;await(e.do==="refuse"?ht:zt)(e.probe,this.#t.stage)?s&&s===this.#i&&(s.send({event:"leaky",refused:e.do==="refuse"}),e.do==="refuse"&&this.#T("leaky",ui)):e.do==="refuse"&&s===this.#i&&this.#g(t)}#g(t){let e=this.#i;if(!e)return;this.#n=t.ticket??this.#n,this.#t.describe(t);let s=this.#w(t.early);this.#e=new q(t,e,{shown:()=>this.#k("ready"),resized:({height:o})=>this.#m(o),ended:(o,n)=>this.#T(o,n),escaped:()=>this.#s.isOpen||this.#y("inline"),act:o=>this.#x(o),context:()=>this.#r},s?.frame),s?s.handOver(this.#e.handlers):this.#e.frame.start(this.#t.stage)}#w(t){let e=this.#o;return this.#o=null,e?.early===t?e:(e?.frame.remove(),null)}#m(t){t!==void 0&&this.#t.setHeight(t)}#x(t){t.ask!==void 0?this.#b(t.ask,t.question):t.unask!==void 0?this.#s.unask(t.unask):t.do==="open-link"?this.#v(t.url):t.do==="download"?Ct(t.files,()=>this.#e?.report("error",{message:"download"})):t.do==="display-mode"?this.#S(t.mode,!0):t.do==="remove"&&this.#E()}async#b(t,e){let s=this.#i,o=n=>s===this.#i&&s?.send({answer:t,value:n});o(await this.#s.ask(t,e,()=>o("seen")))}async#v(t){let e=Mt(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,o={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#s.ask(e,o))&&_t(e)}#S(t,e=!1){m.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&E.isWriting);this.#y(s?"fullscreen":"inline")})}#y(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#e?.frame.focus(),this.#A()),this.#e?.report("display-mode",{mode:t})}#E(){this.#c(),this.#k("closed")}#T(t,e){this.error={code:t,message:e},this.#c(),this.#k("error")}#k(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#I(){let{width:t,height:e}=this.#t.room();return he(this,{displayMode:this.displayMode,width:t,height:e})}#O(){this.#l??=setTimeout(()=>{this.#l=void 0,this.#A()},pi)}#A(){this.#t.setTheme(S(this));let t=this.#I(),e=ce(this.#r,t);this.#r=t,!(!this.#e||Object.keys(e).length===0)&&(e.theme&&this.#e.frame.setTheme(t.theme),this.#e.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",Tt);var be="mcp:",xe=(i,t,e=t)=>new Promise((s,o)=>{let n=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(be+i,{signal:e},n).catch(o)}),ye=(i,t,e)=>{navigator.locks.request(be+i,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var et=class extends N{constructor(t=self,e){super(e),this.target=t.port??t;let s=(o,n)=>this.target.addEventListener(o,n,this.over);s("message",({data:o})=>this.take(o)),s("close",()=>this.ended()),t.addEventListener("error",({message:o})=>o||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});xe(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):ye(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var kt=class{stopWatching=()=>{};constructor(){this.host=h("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[K()],this.panel=h("dialog",{class:"over",role:"presentation"});let e=h("div");t.append(this.panel),this.dialog=new A(this.panel,e,()=>{}),this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.refuse.click()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}async ask(t,e,s){this.host.isConnected||document.body.append(this.host);let o=this.dialog.ask(t,e,s);this.panel.open||(this.#t(),this.stopWatching=Y(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let n=await o;return this.dialog.shade.hidden&&this.#s(),n}unask(t){this.dialog.unask(t)}#t(){this.panel.style.colorScheme=S(document.body)}#s(){this.stopWatching(),this.panel.close(),this.host.remove()}},mi;function St(){return mi??=new kt}var ve="notifications/initialized",st=class{#t=new Map;#s=0;#i=null;#e=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:o}=t;if(s===ve&&this.#e||(s===ve&&(this.#e=!0),s==="initialize"&&this.#o(e)))return;if(s==="notifications/cancelled")return this.#n(t);if(!s||e===void 0)return this.toServer(t);let n=++this.#s,r=o?._meta?.progressToken;this.#t.set(n,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?o:{...o,_meta:{...o._meta,progressToken:n}};this.toServer({...t,id:n,...a?{params:a}:{}})}#o(t){this.#i&&this.toHost({...this.#i,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#i!==null||e!==void 0}#n(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress")return this.#r(t);if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#i=t),this.toHost({...t,id:e.id}))}#r(t){let e=this.#t.get(t.params?.progressToken);e&&this.toHost({...t,params:{...t.params,progressToken:e.token}})}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};function yn(i){return new Ot(i)}var Ot=class extends EventTarget{state="connecting";error=null;#t=null;#s="";#i=!1;#e;#o=[];constructor({ticket:t,transport:e,base:s=g}){super(),this.transport="onMessage"in e?e:new et(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#e=new st(o=>this.#f(o),o=>this.#u(o)),this.#o=[this.transport.onMessage(o=>this.#e.fromServer(o)),this.transport.onClose(()=>this.close()),Te(document,"visibilitychange",()=>this.#d()),Te(globalThis,"focus",()=>this.#d())],this.#n()}close(){this.#c("closed",null)}async#n(){this.#i=!1;try{this.#s=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(t){return this.#c("error",{code:"ticket",message:`There is no ticket: ${t}`})}this.state!=="closed"&&(this.#t=L(this.base).open(()=>({offer:this.#s,visible:!document.hidden}),{mounted:()=>{this.#i=!0,this.error=null,this.#h("offered")},frame:t=>this.#a(t),failed:(t,e)=>this.#r(t,e)}))}#r(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#h("connecting");let s=this.#i;if(this.#t?.close(),this.#t=null,this.#e.forget(),t!=="gone"||!s)return this.#c("error",{code:t,message:e});this.#h("connecting"),this.#n()}#a(t){t.bytes?this.#e.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#e.fromHost(t.message):t.ask!==void 0?this.#l(t.ask,t.question):t.unask!==void 0&&St().unask(t.unask)}async#l(t,e){let s=this.#t,o=n=>s===this.#t&&s?.send({answer:t,value:n});o(await St().ask(t,e,()=>o("seen")))}#f(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#e.fromServer(Ee(t.id,`${e}`))}}#u(t){!this.#i||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Ee(t.id,"The answer is longer than the host takes")})}#d(){!document.hidden&&this.#i&&this.#t?.send({event:"visible"})}#c(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#o.splice(0))s();this.#e.forget(),this.#t?.close(),this.#t=null,this.error=e,this.#h(t)}}#h(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Ee=(i,t)=>({jsonrpc:"2.0",id:i,error:{code:-32603,message:t}});function Te(i,t,e){return i.addEventListener(t,e),()=>i.removeEventListener(t,e)}export{b as AppConnectionError,p as AppLoadError,C as AppTimeoutError,Tt as McpApp,W as McpAppPreload,Ot as OfferedServer,O as OriginNotAllowedError,di as createAppChild,ni as createAppHost,yn as offerServer};
