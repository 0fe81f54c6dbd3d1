var Dt="2025-11-25",Ut="2026-01-26",jt=["2026-01-26","2025-11-21"];var p=o=>({}).toString.call(o)=="[object Object]",j=o=>p(o)||Array.isArray(o)||Object(o)!==o&&typeof o!="bigint",S=(o,t,e=[],s=0)=>t(o)&&(Object(o)!==o||s<256&&Object.keys(o).every(i=>(e.splice(s,256,i),i!="__proto__"&&S(o[i],t,e,s+1))));function Ft(o){let t=typeof o=="string"&&URL.canParse(o)?new URL(o):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function qt(o){globalThis.open(o.href,"_blank","noopener,noreferrer")}var _e=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,zt=120;function Ce(o){let s=(String(o??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),i=/\.[^.]{1,16}$/.exec(s)?.[0]??"",n=s.length>zt?s.slice(0,zt-i.length).trimEnd()+i:s;return!n||_e.test(n)?`download${n&&"-"}${n}`:n}function Ht(o,t){for(let e of o){let s=Pe(e);s?De(s,Ce(e.name)):t?.(e)}}function Pe({text:o,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof o=="string")return new Blob([o],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),i=>i.charCodeAt(0))],{type:s})}catch{return null}}function De(o,t){let e=document.createElement("a");e.href=URL.createObjectURL(o),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var mt=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(s=>[...s.values()]);this.#e.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let i=this.#e.get(t)??new Map;i.delete(e),this.#e.set(t,i.set(e,s))}forget(t){this.#e.delete(t)}},Ue=globalThis,je=Symbol.for("cloche.calm"),w=Ue[je]??=new mt;function c(o,t={},...e){let s=document.createElement(o);for(let[i,n]of Object.entries(typeof t=="string"?{class:t}:t))i in s&&!i.includes("-")?Reflect.set(s,i,n):n!==""&&s.setAttribute(i,n);return s.append(...e.filter(i=>i!=null&&i!==!1)),s}function $(o){if(o.assignedSlot)return o.assignedSlot;let t=o.getRootNode();return o.parentElement??(t instanceof ShadowRoot?t.host:null)}var $t="http://www.w3.org/2000/svg";function B(o){let t=document.createElementNS($t,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS($t,"path"),s={d:o,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[i,n]of Object.entries(s))e.setAttribute(i,n);return t.append(e),t}var ze=700,Fe=100,qe=100,W=2,K=class{#t=0;#e=0;#s=!1;#i=!1;#o="";#r=0;#n=new Set;#a;#h;constructor(t,e,s,i){this.shade=t,this.box=e,this.buttons=s,this.changed=i}start(){this.stop(),this.#o="",this.#i=!1,this.#p(),this.changed(!1),this.#c(),this.#u(),this.#m()}stop(){this.#s=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#r)}counts(t){return this.#l(),t.isTrusted&&this.#s}#c(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#p();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#d(),e),this.shade.addEventListener("keydown",i=>this.#w(i),e);for(let i of["pointerup","pointercancel","keyup"])addEventListener(i,()=>this.#f(),e);addEventListener("pointermove",i=>i.buttons===0&&this.#f(),e)}#u(){if(this.#n.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:qe,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:i,target:n}=s;i?this.#n.delete(n):this.#n.add(n)}},t);for(let e of this.#x())this.#n.add(e),this.#h.observe(e)}#m(){this.#r=requestAnimationFrame(()=>{this.#l(),this.#m()})}#l(){let t=this.#x(),e=[this.box,...t].map(He).join(),s=e===this.#o;if(this.#o=e,!s||this.#i||!this.#v(t))return this.#p();let i=performance.now();this.#t+=Math.min(i-this.#e,Fe),this.#e=i,!this.#s&&this.#t>=ze&&this.#g(!0)}#p(){this.#t=0,this.#e=performance.now(),this.#s&&this.#g(!1)}#g(t){this.#s=t,this.changed(t)}#d(){this.#l(),this.#s||(this.#i=!0)}#w(t){this.#l();let e=t.key==="Enter"||t.key===" ";this.#s&&!(e&&t.repeat)||(this.#i=!0,this.#p())}#f(){this.#i&&(this.#i=!1,this.#p())}#x(){return this.buttons.filter(t=>!t.hidden)}#v(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every($e)&&t.every(s=>Be(s)&&(!this.#n.has(s)||We(s)))}};function He(o){let{x:t,y:e,width:s,height:i}=o.getBoundingClientRect();return`${t} ${e} ${s} ${i}`}function $e(o){let{left:t,top:e,right:s,bottom:i,width:n}=o.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:h,height:l}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return n>0&&t>=r-1&&e>=a-1&&s<=r+h+1&&i<=a+l+1}function Be(o){let{left:t,top:e,right:s,bottom:i}=o.getBoundingClientRect(),[n,r]=[(t+s)/2,(e+i)/2],a=o.getRootNode();return[[n,r],[t+W,r],[s-W,r],[n,e+W],[n,i-W]].every(([l,d])=>a.elementFromPoint(l,d)===o)}function We(o){for(let t=o;t;t=$(t)){let{opacity:e,filter:s,transform:i}=getComputedStyle(t);if(e!=="1"||s!=="none"||i!=="none")return!0}return!1}var Ke=0,R=class{#t=[];#e;#s;#i=!1;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let i=`cloche-question-${++Ke}`;this.title=c("h2",{id:`${i}-title`}),this.text=c("p",{id:`${i}-text`}),this.details=c("pre",{tabIndex:0}),this.time=c("span",{class:"time",role:"timer"}),this.refuse=c("button",{class:"refuse",onclick:()=>this.#l(!1)}),this.lasting=c("button","lasting"),this.accept=c("button","accept main");let n=c("div","row",this.time,c("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=c("div",a,this.title,this.text,this.details,n),this.shade=c("div",{class:"shade",hidden:!0},this.box),this.#o=new K(this.shade,this.box,[this.lasting,this.accept],h=>this.#n(h)),this.accept.addEventListener("click",h=>this.#o.counts(h)&&this.#l(!0)),this.lasting.addEventListener("click",h=>this.#o.counts(h)&&this.#l("page")),this.shade.addEventListener("keydown",h=>this.#u(h)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(i=>{this.#t.push({key:t,question:e,resolve:i,seen:s}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);e===0?this.#l(!1):e>0&&this.#t.splice(e,1)[0].resolve(!1)}clear(){for(let{resolve:t}of this.#t.splice(1))t(!1);this.#t.length>0&&this.#l(!1)}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=Ve(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.#s=void 0,this.shade.hidden=!1,w.begin(this),this.#h(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#a(),250),this.#a()}#n(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#s!==void 0||(this.#s=performance.now()+Bt(e.question)*1e3,e.seen())}#a(){if(this.#t.length===0)return;let t=Bt(this.#t[0].question),e=this.#s===void 0?t:(this.#s-performance.now())/1e3;if(e<=0)return this.#l(null);this.time.textContent=`No answer means no: ${String(Math.ceil(e)).padStart(String(t).length,Ge)} s`}#h(){let t=this.#c(),e=t.activeElement!==null;this.#i||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#c(){return this.panel.getRootNode()}#u(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.#l(!1)):t.key==="Tab"&&this.#m(t)}#m(t){let e=[this.details,this.refuse,this.lasting,this.accept].filter(r=>!r.hidden),s=this.#c(),i=e.findIndex(r=>r===s.activeElement),n=i<0?t.shiftKey?e.length-1:0:i+(t.shiftKey?-1:1);t.preventDefault(),e[(n+e.length)%e.length].focus()}#l(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#p(),e?.resolve(t)}#p(){clearInterval(this.#e),this.#o.stop();let t=this.#c(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#i&&this.giveBack(),this.#i=!1,w.end(this)}},Ge="\u2007",Bt=o=>o.seconds??30;function Ve(o){if(o==null)return"";if(typeof o!="object")return String(o);let t=Object.entries(o).map(([e,s])=>[e,Je(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}var Je=o=>typeof o=="string"?o:JSON.stringify(o)??"";var G=class{#t=new Map;#e=new Map;#s=[];#i=!1;#o=null;#r=new Map;pressed(t){t.repeat&&!this.#n(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#i=t.shiftKey,this.#c(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#n(t)||this.#a(t),this.#t.delete(t.code),this.#i=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,s){let i=performance.now(),n=i+1e3;this.#r.set(t,{until:n,taken:s}),this.#o={at:i,until:n,field:e,isShifted:this.#i}}acquit(t){this.#r.delete(t),this.#r.size===0&&(this.#o=null)}doubt(t){return Math.max(0,(this.#r.get(t)?.until??0)-performance.now())}#n({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#o;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:i,shiftKey:n,altKey:r,ctrlKey:a,metaKey:h,isComposing:l}=t;if(!(s.length>1&&s!=="Backspace"||r||a||h||l)){this.#e.set(i,t.timeStamp),n===e.isShifted&&this.#h({key:s,code:i,at:e.at,types:!0},e.field);for(let[d,{until:u,taken:g}]of this.#r)this.#r.delete(d),performance.now()<u&&g()}}#h({key:t,code:e,at:s},i){if(!i?.isConnected)return;let n=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!i.dispatchEvent(n))return;let r=i;if(t==="Enter"&&i.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,h=r.value?.length,d=this.#s.filter(x=>x.field===i&&x.at>s).reduce((x,{step:H})=>x+H,0),u=d>0?0:Number(r.selectionEnd)-Number(a);a!==null&&d>0&&r.setSelectionRange(a-d,a-d),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||Wt(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let g=t==="Delete"?a:Number(a)+r.value?.length-h+u;a!==null&&r.setSelectionRange(g,g),this.#c(i,t,s)}#c(t,e,s){this.#s=[...this.#s.filter(i=>performance.now()-i.at<3e4),{field:t,at:s,step:Wt(e)}]}};function Wt(o){return o==="Backspace"?-1:[...o].length===1?o.length:0}var Xe=3,Ye=6e4,Qe=300,Ze=500,ts=100,Kt=1e3,es=250,Gt=20,ss="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",is="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",wt=class{#t=new Map;#e=null;#s=null;#i=-1/0;#o=-1/0;#r=!1;#n=null;#a=null;#h=!1;#c=new G;#u;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#m()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#s!==t?this.#k(t,this.#e):this.#s=null,this.#S(e,this.#e))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#y()?es:0,this.#c.doubt(t))}get isWriting(){return Jt(this.#s===null&&this.#x()?this.#e:V())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let s=this.#t.get(t);!s||this.#s!==null||this.#r||e.at<s.hadUntil||(s.keys.push(e),this.#E(t,s))}#m(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#l(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#d()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#i=e.timeStamp)},t),addEventListener("keydown",e=>this.#w(e),t),addEventListener("keyup",e=>this.#c.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#f(),t),this.#e=V()}#l(t){this.#n=this.#a=null;let[e]=t.composedPath(),s=this.#r&&e===this.#e;this.#r=!1,e instanceof HTMLElement&&!s&&this.#p(e)}#p(t){this.#e=t,this.#i=performance.now(),this.#g();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#g(){let t=this.#s&&this.#t.get(this.#s);t&&(t.hadUntil=performance.now()),this.#s=null}#d(){V()===null&&document.hasFocus()&&this.#p(null)}#w(t){t.isTrusted&&(this.#g(),this.#i=t.timeStamp,this.#c.pressed(t),this.#n=t.key==="Tab"?t:null,!this.#n&&!t.ctrlKey&&!t.metaKey&&(this.#o=performance.now()))}#f(t=0){clearTimeout(this.#u);let e=this.#x();this.#r=!e&&t===Gt,!e&&!document.hasFocus()&&t<Gt&&(this.#u=setTimeout(()=>this.#f(t+1),t));let s=e&&this.#t.get(e);s&&this.#E(e,s)}#x(){return[...this.#t.keys()].find(t=>Vt(t).activeElement===t)}#v(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:i}=this.#n??{timeStamp:-1/0,defaultPrevented:!0},n=!i&&performance.now()-s<Ze;return e||n||this.#e===null||!this.#e.isConnected}#y(){return this.#e?.isConnected===!0&&this.#e.matches(ss)}#b(t,e){this.#s=t,e.keys=[]}async#E(t,e){if(this.#v(t))return this.#b(t,e);let s=this.#e,i=this.#i,n=this.#y(),r=t.closest("[inert]")!==null,a=performance.now()-this.#o<Qe;this.#c.suspect(t,s,e.sandbox.stolen);let h=setTimeout(()=>this.#k(t,s),a||r?0:ts),l=await(r?gt(0):Promise.race([e.sandbox.ask(),gt(Kt)]));clearTimeout(h);let d=l?.isKnown===!1&&l.isActive&&!e.wasActive&&!a,u=l!==null&&(l.pointedAt>i||d);if(this.#t.get(t)===e){if(!u)return this.#T(t,e,s,n,l!==null);this.#c.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:g})=>g>this.#i),this.#i===i&&(this.#b(t,e),V()===s&&e.sandbox.focus())}}async#T(t,e,s,i,n){if(this.#k(t,s),n&&await Promise.race([e.sandbox.ask(),gt(Kt)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(h=>r-h<Ye),r],(this.#S(e,s)||i||e.thefts.length>=Xe)&&e.sandbox.stolen()}#k(t,e){if(Vt(t).activeElement!==t)return;let s=this.#i;t.blur(),e?.focus({preventScroll:!0}),this.#i=s}#S(t,e){let s=t.keys.splice(0);for(let i of s)this.#c.reported(i,Jt(e)?e:null);return s.length>0}};function gt(o){return new Promise(t=>setTimeout(t,o,null))}function Vt(o){return o.getRootNode()}function Jt(o){return o!==null&&(o.isContentEditable||o.matches(is))}function V(){let o=document.activeElement;for(;o?.shadowRoot?.activeElement;)o=o.shadowRoot.activeElement;return o instanceof HTMLElement&&o!==document.body?o:null}var os=globalThis,ns=Symbol.for("cloche.keyboard"),y=os[ns]??=new wt;var f=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},A=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),z=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new f(-32001,t+": no answer")}request(t,e={},{id:s=A(),timeout:i=6e4,signal:n,onProgress:r,transfer:a}={}){let h,l;return new Promise((d,u)=>{if(l=x=>{let H=this.unanswered(t,s,x&&n);u(H),this.notify("notifications/cancelled",{requestId:s,reason:String(H)})},n?.aborted)throw this.unanswered(t,s,n);n?.addEventListener("abort",l);let g=()=>{clearTimeout(h),h=i&&setTimeout(l,i)};this.pending.set(s,{resolve:d,reject:u,progress:x=>(g(),r?.(x))}),g(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(h),n?.removeEventListener("abort",l)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:i,error:n}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):n?r?.reject(Object.assign(new f,n)):r?.resolve(i),r}async answer({id:t,method:e,params:s},i){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let n=i(e);if(t==null)return n?.(s);let r=new AbortController;this.running.set(t,r);let a=h=>r.signal.aborted||this.post({id:t,...h});try{if(!n)throw new f(-32601,"Not available: "+e);a({result:await n(s,r.signal,t)??{}})}catch(h){a({error:{code:+h?.code||-32603,message:String(h?.message??h),data:h?.data}})}finally{this.running.delete(t)}}},J=class extends z{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:i={},result:n,error:r}=t;if(S(t,j)&&!p(e)&&p(s?i:r??(n===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new f(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,i)=>{if(j(i)||typeof i=="function")return i;throw new f(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var cs=1e4,ls,ds=10,ps,Yt=()=>ps??=fs();function fs(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let o=document.createElement("iframe");o.style.display="none",document.body.append(o);let t=o.contentDocument;for(let e=1;t?.body&&e<ds;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return o.remove(),!t?.body}var bt=(o,t=document.body)=>ls??=us(o,t),Xt=!1;async function Qt(o,t){return Xt?!1:(Xt=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),bt(o,t))}function us({url:o,origin:t},e){let s=A(),i=document.createElement("iframe");return i.setAttribute("sandbox","allow-scripts allow-same-origin"),i.style.display="none",i.src=`${o}#${s}`,new Promise(n=>{let r=l=>{clearTimeout(h),removeEventListener("message",a),i.remove(),n(l)},a=({source:l,origin:d,data:u})=>{l!==null&&l===i.contentWindow&&d===t&&u?.nonce===s&&r(u.leaky!==!1)},h=setTimeout(()=>r(!0),cs);addEventListener("message",a),e.append(i)})}var Zt=o=>"Request "+o+" timed out",te=o=>"Request "+o+" was cancelled",ee=()=>"Transport is closed",se=()=>"This id is in use by a request that is not answered yet";var I={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},gs=4;function F(o,{bytes:t,depth:e}){let s=[],i=t,n="";return S(o,a=>{let h=s.at(-1)??"",l=typeof a=="string"?a:"";return i-=gs+h.length+l.length+(Array.isArray(a)?a.length:0),i<0?n="is too large":l.isWellFormed()?Object(a)===a&&s.length>=e?n="is nested too deeply":(!j(a)||typeof a=="symbol"||!h.isWellFormed())&&(n="is not JSON"):n="holds half a character",!n},s)?null:n||"is not JSON"}function E(o){return typeof o=="object"&&!Array.isArray(o)&&o?.jsonrpc==="2.0"}var v=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},X=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new v(t.rate,t.burst,e),this.patience=new v(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=F(t,this.limits);return e?this.#e(t,-32600,"The message "+e):E(t)?ie(t)?this.#t.has(t.id)?this.#e(t,-32600,se()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,s){return ie(t)?{code:e,message:s}:"drop"}},ie=o=>typeof o?.method=="string"&&/^(string|number)$/.test(typeof o.id);var ws=20,bs=5,xt=new Map;function oe(o,t,e){return o?(addEventListener("message",xs,{capture:!0}),xt.set(o,{bucket:new v(bs,ws),count:0,proxy:t,flooded:e}),()=>{xt.delete(o)}):()=>{}}function xs(o){if(o.isTrusted&&o.source===null&&o.origin==="null")return o.stopImmediatePropagation();let t=ys(o.source),e=t&&xt.get(t);e&&(o.source!==e.proxy()&&o.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function ys(o){let t=o&&"parent"in o?o:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ne="ui/notifications/sandbox-",vs="allow-scripts allow-same-origin allow-forms",yt=2e4,Es=5e3,ks=5e3,Ts=1e4,ae=10,Ss=30,re=Ts/ae,Os=250,As=.25,M=class{#t=A();#e=0;#s=0;#i=!1;#o=Ss;#r=!1;#n=0;#a=[];#h=!1;#c=()=>{};#u=new Map;#m=0;#l=-1/0;#p=1/0;#g=[-1/0,1/0];#d=null;#w;constructor(t,e){this.options=t,this.bucket=new v(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",vs),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!Is(this.options.sandbox))return this.#f("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#b),document.addEventListener("securitypolicyviolation",this.#y),this.element.addEventListener("load",()=>this.#v()),this.#x(yt),t.append(this.element),y.watch(this.element,{ask:()=>this.#A(),focus:()=>this.focus(),release:()=>this.#C(),stolen:()=>this.#f("focus")})}get isOver(){return this.#r}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#d&&(this.#x(yt),this.#S(e))}post(t){this.#d?.postMessage({message:t})}postBytes(t){this.#d?.postMessage({bytes:t},[t])}setTheme(t){this.#d?.postMessage({theme:t})}focus(){y.give(this.element),this.#d?.postMessage({focus:!0})}remove(){this.#r=!0,clearTimeout(this.#w),this.#c(),y.unwatch(this.element),removeEventListener("message",this.#b),document.removeEventListener("securitypolicyviolation",this.#y),this.#d?.close(),this.#d=null,this.element.remove()}#f(t,e){this.#r||(this.remove(),this.handlers.ended(t,e))}#x(t){clearTimeout(this.#w),this.#w=setTimeout(()=>this.#f("silent"),t)}#v(){if(this.#e+=1,this.#e>1)return this.#f("navigated");this.#T(),!(this.#d||this.#r)&&this.#x(Es)}#y=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#f("blocked")};#b=t=>{if(!this.#E(t))return;removeEventListener("message",this.#b),this.#T();let{html:e}=this.options;e?this.#x(yt):clearTimeout(this.#w);let s=new MessageChannel;this.#d=s.port1,this.#d.onmessage=({data:r})=>this.#N(r);let i={nonce:this.#t},n={jsonrpc:"2.0",method:ne+"port",params:i};this.#k()?.postMessage(n,this.options.sandbox.origin,[s.port2]),e&&this.#S(e)};#E({source:t,origin:e,data:s}){return s?.method===ne+"proxy-ready"&&s.params?.nonce===this.#t&&e===this.options.sandbox.origin&&t!==null&&t===this.#k()}#T(){this.#c();let t=e=>this.#f("flood",{count:e});this.#c=oe(this.element.contentWindow,()=>this.#k(),t)}#k(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#S(t){let{frame:e,limits:s,theme:i}=this.options;try{let n=await t;clearTimeout(this.#w),this.setTheme(i);let r=!e.framed&&Yt();this.#d?.postMessage({html:n,frame:e,limits:s,deep:r}),this.#r||this.#I()}catch(n){this.#f("html",n)}}#A(){if(!this.#d)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#m,e=performance.now();return this.#d.postMessage({question:t}),new Promise(s=>this.#u.set(t,{at:e,told:s}))}#R({question:t,now:e,timeOrigin:s,isActive:i}){let n=this.#u.get(t);if(this.#u.delete(t),n&&typeof e=="number"){let[a,h]=this.#g;this.#g=[Math.max(a,e-performance.now()),Math.min(h,e-n.at)],this.#p=Math.min(Math.max(performance.timeOrigin-s,this.#g[0]),this.#g[1])}let r=typeof e=="number"&&!this.options.frame.framed;n?.told({pointedAt:this.#l-this.#p,isActive:i===!0,isKnown:r})}#M({pointedAt:t,typedAt:e,key:s,code:i,types:n}){typeof t=="number"&&(this.#l=Math.max(this.#l,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&y.pressed(this.element,{key:s,code:String(i),types:n===!0,at:Number(e)-this.#p})}#I(){this.#i=!1,this.#d?.postMessage({ping:++this.#s}),this.#L(0)}#L(t){let e=performance.now()+re;this.#w=setTimeout(()=>{if(this.#i)return void(this.#w=setTimeout(()=>this.#I(),ks));let s=t+(performance.now()-e>Os?As:1);s>=this.#o?this.#f("unresponsive"):this.#L(s)},re)}#N(t){if(!this.bucket.take())return this.#f("flood",{count:2*this.options.limits.burst});this.#r||t===null||typeof t!="object"||(this.#i=!0,t.event==="navigated"||t.event==="flood"?this.#f(t.event,{count:Number(t.count)}):t.event==="told"?this.#R(t):t.event==="pressed"?this.#M(t):typeof t.event=="string"?this.#P(t):"message"in t&&this.#_(t))}#_({message:t,gesture:e,hasFocus:s}){let i=performance.now();this.#n=Math.max(this.#n,i+y.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#n}),this.#h||this.#O()}#C(){this.#n=0;for(let t of this.#a)t.until=0;this.#O()}#O(){for(this.#h=!1;!this.#r&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#O(),t);return}let[{message:e,gesture:s}]=this.#a.splice(0,1);this.handlers.message(e,s)}}#P(t){t.event==="loaded"&&(this.#o=ae,this.#A()),this.handlers.event(t)}};function Is({url:o,origin:t,around:e=t}){let s=URL.canParse(o)?new URL(o):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}var Y=class{#t=null;#e=[];#s=0;#i=0;#o=0;#r=!1;#n=!1;#a;#h=[];constructor(t,e,s,i){this.socket=t,this.view=e,this.opening=s,this.handlers=i}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#i})}else this.#e=[],this.#s=this.#i=this.#o=0,this.#r=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#r=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#s;return this.#e.push({n:s,frame:t}),this.#e.length>2e3?this.#f("overflow","The host did not answer for too long."):this.#r&&this.socket.send({...t,view:this.view,n:s}),!0}async ask(t,e,s){let i=n=>this.#n||this.send({answer:e,value:n});i(await t.ask(e,s,()=>i("seen")))}close(){this.#n||(this.#n=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#n||(t.mount?this.#c(t.mount):t.error?this.#f(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#u(t.resumed):t.got!==void 0?this.#m(t.got):t.n===this.#i+1&&this.#l(t))}#c(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#u(t){this.#m(t),this.#r=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#m(t){let e=this.#e.findIndex(s=>s.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#l(t){if(this.#i=t.n,this.#i-this.#o>=32?this.#p():this.#a??=setTimeout(()=>this.#p(),1e3),t.body===void 0)return this.#g(t);let e=this.#w(t.body);t.free?e.then(s=>this.#n||this.handlers.frame(s),()=>{}):this.#g(e)}#p(){clearTimeout(this.#a),this.#a=void 0,!(this.#n||!this.#r)&&(this.#o=this.#i,this.socket.send({view:this.view,got:this.#i}))}#g(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#d()}async#d(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#n)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#w(t){try{return{bytes:await he(new URL(t,this.socket.base).href)}}catch(e){throw this.#f("body",e instanceof Error?e.message:String(e)),e}}#f(t,e){this.#n||(this.close(),this.handlers.failed(t,e))}},Ls=4,Rs=500;async function he(o){for(let t=1;;t++){try{let e=await fetch(o,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=Ls)throw e}await new Promise(e=>setTimeout(e,Rs*2**(t-1)))}}var Q=async o=>new TextDecoder().decode(await he(o));var ce={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var le={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},de={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var Ns=new Map([...Object.entries(ce).map(([o,t])=>[t,o]),...Object.entries(de)]);function Z({method:o}){return Ns.get(o)??o}function tt({initialize:o,limits:t,profile:e},s,i){let n={...s.containerDimensions};n.height===void 0&&t?.maxHeight&&(n.maxHeight=t.maxHeight);let r={...o.hostContext,...s,containerDimensions:n},a={...o,hostContext:r};return jt.includes(i.protocolVersion)||(a.hostCapabilities=_s(o)),e?Cs(a,e):a}function _s({hostCapabilities:o,hostContext:t}){let e=Object.entries(le).filter(([,s])=>s in o);return{...o,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function Cs({hostContext:o,...t},{context:e,withoutContext:s,omits:i}){let n=(r,a)=>Object.fromEntries(Object.entries(r).filter(([h])=>!a.includes(h)));return n({...t,hostContext:{...n(o,s),...e}},i)}var Ps={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},et=class{#t=!1;#e;#s;#i=[];constructor(t,e,s,i){this.packet=t,this.channel=e,this.stage=s,this.limits={...I,...t.limits},this.methods=new Set(t.methods??[]),this.#s=t.first??[],this.handlers={message:(n,r)=>this.#u(n,r),event:n=>this.#c(n),ended:(n,r)=>this.#a(n,r)},this.frame=i??this.#o(),this.frame.element.title=t.title||t.tool||"App"}#o(){let{sandbox:t,frame:e}=this.packet,s=Q(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:i}=this.stage.context();return new M({sandbox:t,frame:e,limits:this.limits,theme:i,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#n(t.message)||this.frame.post(t.message):this.stage.act(t)}#r(){for(let t of this.#s.splice(0))this.#i.push(JSON.stringify(t)),this.frame.post(t)}#n(t){return this.#i.length>0&&this.#i[0]===JSON.stringify(t)&&this.#i.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Ps[t]}#c(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();Us.includes(t.event)&&this.channel.send(zs(t))}#u(t,e){if(F(t,this.limits)||!E(t))return;let s=Z(t);if(s==="ui/initialize"&&t.id!==void 0)return this.#m(t);if(s==="ping"&&t.id!==void 0)return this.#g(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#r();if(s==="ui/notifications/size-changed")return this.#l(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#d(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let i=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...i})&&t.id!==void 0&&this.#d(t.id,-32600,"The message is too large")}#m({id:t,params:e={}}){this.#g(t,tt(this.packet,this.stage.context(),e)),this.greeted(e)}greeted(t){this.#t||this.report("initialize",{params:t,context:this.stage.context()}),this.#t=!0,this.stage.shown()}#l(t){let e=this.#e!==void 0;this.#p={...e?this.#p:{},...vt(t,this.limits.maxHeight)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#p),this.report("size",this.#p)}))}#p={};#g(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#d(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Ds=1e4;function vt(o,t=6e3){let e={},s={width:Ds,height:t};for(let i of["width","height"]){let n=o?.[i];typeof n=="number"&&n>=0&&(e[i]=Math.min(Math.ceil(n),s[i]))}return e}var Us=["violation","error","console"],js=["event","message","directive","blocked","level"];function zs(o){let t=js.filter(s=>typeof o[s]=="string"),e=Number.isSafeInteger(o.line)&&o.line>0?{line:o.line}:{};return{...Object.fromEntries(t.map(s=>[s,o[s].slice(0,500).toWellFormed()])),...e}}var b=new URL(".",import.meta.url).href,Fs="cloche.1",qs=250,Hs=1e4,$s=1e3,pe=new Map;function N(o){let t=pe.get(o)??new Et(o);return pe.set(o,t),t}var Et=class{#t=new Map;#e=0;#s=null;#i=0;#o;constructor(t){this.base=t;let e=()=>{this.#o!==void 0&&!document.hidden&&this.#n()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>{if(!s&&this.isOpen)for(let i of this.#t.keys())this.send({close:i})})}get isOpen(){return this.#s?.readyState===WebSocket.OPEN}open(t,e){let s=new Y(this,++this.#e,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#s&&this.#o===void 0&&this.#n(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#r(),$s)}send(t){this.isOpen&&this.#s?.send(JSON.stringify(t))}#r(){clearTimeout(this.#o),this.#o=void 0;let t=this.#s;this.#s=null,t?.close(1e3)}#n(){clearTimeout(this.#o),this.#o=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Fs);this.#s=t,t.onopen=()=>{this.#i=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#s===t&&this.#a(e)}#a(t){if(this.#s=null,this.#t.size===0)return;this.#i+=1;for(let s of[...this.#t.values()])s.disconnected(this.#i,t.reason);let e=Math.min(Hs,qs*2**(this.#i-1));this.#o=setTimeout(()=>this.#n(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var fe=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var st=Object.fromEntries(fe.split(`
`).filter(o=>o.startsWith("  --")).map(o=>o.slice(2,-1).split(": ")));var Ws=300;function _(o){let t=o.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(o).colorScheme,s=document.querySelector("meta[name=color-scheme]"),i=(e==="normal"?s?.content??"":e).split(" "),[n,r]=[i.includes("light"),i.includes("dark")];return n&&r?ue().matches?"dark":"light":n||r?r?"dark":"light":Gs(Ks(o))?"dark":"light"}var ue=()=>matchMedia("(prefers-color-scheme: dark)");function Ks(o){for(let t=o;t;t=$(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function Gs(o){let[t,e]=o.split("("),[s,i,n]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*i+.114*n)/r<.5}function Vs(o){let t=getComputedStyle(o);return Object.fromEntries(Object.entries(st).map(([e,s])=>{let i=t.getPropertyValue(e).trim();return[e,i&&i.length<=Ws?i:s]}))}function it(o,{displayMode:t,width:e,height:s}){return{theme:_(o),styles:{variables:Vs(o)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:o.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function me(o,t){let e=Object.entries(t).filter(([s,i])=>JSON.stringify(i)!==JSON.stringify(o[s]));return Object.fromEntries(e)}function ot(o){let t=new MutationObserver(o);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=ue();return e.addEventListener("change",o),()=>{t.disconnect(),e.removeEventListener("change",o)}}var Js="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",ge=1e3,we=-1/0,nt=new Map,kt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=Q(new URL(t.html,b).href)}frame(t,e,s){let{sandbox:i,frame:n}=this.packet,r={...I,...this.packet.limits};return new M({sandbox:i,frame:n,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new C(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let i=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,n=i?s:new C(this,this.html,e);return i?n.frame.show(t,this.html,e):n.frame.start(t),n}shown(){we=performance.now(),this.#s(ge)}#s(t){setTimeout(()=>{let e=we+ge-performance.now();e>0?this.#s(e):this.renew()},t)}greeting(t){let[e,s]=t.split(/ (.*)/s),i=this.packet.greetings??{};if(!Object.hasOwn(i,s??""))return null;let n=i[s],{toolInfo:r}=n.hostContext;return r?{...n,hostContext:{...n.hostContext,toolInfo:{...r,id:e}}}:n}remove(){this.#e=!0,this.#t?.frame.remove()}},C=class{context=null;#t=null;#e=null;height;#s=[];#i;constructor(t,e,s="light"){this.view=t,this.frame=t.frame(e,s,{message:(i,n)=>{!this.#i&&this.#o(i)||this.#n(({handlers:r})=>r.message(i,n))},event:i=>{i.event==="loaded"&&t.shown(),this.#n(({handlers:n})=>n.event(i))},ended:(i,n)=>this.#n(({handlers:r})=>r.ended(i,n))})}static open(t,e,s,i){let n=nt.get(t??"");if(!n?.packet.early)return null;let r=n.show(e,s);return r.#e=i,r}fits({early:t,initialize:e}){let s=!this.#t||JSON.stringify(this.#t)===JSON.stringify(e);return this.view.packet.early===t&&s}#o(t){let{limits:e}=this.frame.options;if(!this.#e||F(t,e)||!E(t))return!1;let s=Z(t),i=t.params??{};if(s==="ui/notifications/size-changed"&&this.#r(i,e),s!=="ui/initialize"||t.id===void 0||this.#t)return!1;let n=this.view.greeting(this.#e.call);if(!n)return!1;this.#t=n,this.context=this.#e.context();let r=tt({...this.view.packet,initialize:n},this.context,i);return this.frame.post({jsonrpc:"2.0",id:t.id,result:r}),this.#n(a=>a.greeted(i)),!0}#r(t,e){let{height:s}=vt(t,e.maxHeight);s!==void 0&&(this.height=s,this.#e?.resized(s))}#n(t){this.#i?t(this.#i):this.#s.push(t)}handOver(t){this.#i=t;for(let e of this.#s.splice(0))e(t)}},rt=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#s=[];#i;#o=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=Js,this.#e=N(b).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#n(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#i&&this.#r(this.#i);for(let t of this.#s.splice(0))t.remove();this.#e?.close(),this.#e=null}#r(t){t.remove(),nt.get(t.packet.view)===t&&nt.delete(t.packet.view)}#n(t){let e=this.#i=new kt(t,this.#o);it(this,{displayMode:"inline",width:0}),nt.set(t.view,e),e.html.catch(()=>this.#r(e)),this.#a(e,Promise.resolve(""),s=>{this.#s=[s],e.renew(),this.#a(e,e.html,i=>{i.remove(),this.#t()})})}#a(t,e,s){let i=t.frame(e,"light",{message:()=>{},event:({event:n})=>n==="loaded"&&s(i),ended:()=>this.#t()});this.#s.push(i),i.start(this.#o)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",rt);var Xs="cloche.sign-in";function be(o){let t=new BroadcastChannel(Xs);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&o(e)},()=>t.close()}var xe=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
/* Not touched, nor seen: the note that it loads lies over it. Drawn all the same: a browser gives a hidden or transparent
   frame less of its time. */
.stage[data-covered] > iframe {
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
  /* Nothing shows through, also where the page's colour for it is translucent. */
  background: linear-gradient(var(--color-background-secondary) 0 0) Canvas;
  align-items: center;
  color: var(--color-text-secondary);
}
.loading > div {
  flex-basis: 0;
}
.loading > svg {
  margin: 0;
  /* Seldom: a browser without a graphics card draws the page anew each time that it turns. */
  animation: turn 1.6s steps(8) 0.4s infinite;
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
`;var at;function ht(){return at||(at=new CSSStyleSheet,at.replaceSync(xe.replaceAll(/var\((--[\w-]+)\)/g,(o,t)=>`var(${t}, ${st[t]})`))),at}var Qs="M8 2a6 6 0 1 1-6 6",Zs="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",ti="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",ei=400,ct=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[ht()],this.name=c("span","name"),this.server=c("strong"),this.origin=c("span","origin",B(ti),c("span",{},"App from ",this.server)),this.leave=c("button",{class:"leave",onclick:e.leave},"Leave full screen");let i=c("div","whose",this.name,this.origin);this.stage=c("div","stage"),this.loading=c("div",{class:"note loading",role:"status"},B(Qs),c("div",{},"Loading the app")),this.hint=c("p"),this.retry=c("button",{onclick:e.retry},"Try again"),this.problem=c("div",{class:"note problem",role:"alert"},B(Zs),c("div",{},c("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=c("progress",{max:1,"aria-label":"Progress"}),this.step=c("span"),this.progress=c("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let n="The connection is lost. Trying again; what you do here is kept.";this.lost=c("div",{class:"lost",role:"status"},n),this.panel=c("dialog",{class:"panel bordered",role:"group"},c("header","bar",i,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:i,size:n,limits:r},a){let h=String(t||e||"App");this.name.textContent=h,this.server.textContent=String(s??""),this.origin.hidden=!s,this.panel.setAttribute("aria-label",h),this.panel.classList.toggle("bordered",i!==!1),this.setHeight(a??n?.height??r?.firstHeight??ei)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.panel.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){w.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),this.panel.setAttribute("role",t?"dialog":"group"),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var m=class extends Error{code="APP_LOAD_FAILED"},k=class extends m{code="APP_DISCONNECTED"},q=class extends m{code="APP_TIMEOUT"},L=class extends m{code="ORIGIN_NOT_ALLOWED"};var T=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var ye=new URL("./app-frame.js",import.meta.url).href,lt=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,s=Tt(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let i=this.element.contentWindow,{document:n}=i,r=Object.assign(n.createElement("script"),{type:"module",src:ye}),a=Tt(r,"load");n.head.append(r),await a,e.throwIfAborted(),this.#t=i.clocheAppFrame,i.addEventListener("message",this.handlers.received,{signal:e}),n.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let h=Tt(this.frame,"load");h.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(n.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,n.body.append(this.frame),await h}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new m("The app was unloaded")),this.element.remove()}};function Tt(o,t){return new Promise((e,s)=>{o.addEventListener(t,()=>e(),{once:!0}),o.addEventListener("error",()=>s(new m(`${ye} could not be loaded`)),{once:!0})})}var ve={name:"cloche",version:"1"},si=/^[a-z][a-z0-9-]{0,49}$/,dt=class extends T{state="loading";serverInfo=null;#t=new X(I);#e;#s;#i=new Map;#o=!1;#r=!1;#n=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=oi(t.options,e),this.holder=new lt(this.frame,e.url,{received:s=>this.#m(s),left:()=>this.#b(new L(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#b(new k(`${this.name}: The app went to another page`))}),this.iframe=ni(this.holder.element,t.options,e),this.transport=new J(s=>this.#u(s),s=>this.#w(s),s=>t.failed(s)),this.#n.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,i=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,n=setTimeout(()=>this.#n.reject(new q(i)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#n.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#c);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(n)}}#a(){this.#o=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#o&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#n.promise.catch(()=>{}).then(()=>this.#s||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#s=e,this.#e="transport",e.onMessage(s=>this.#l(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#b(new k(`${this.name}: the app closed the connection`))),this.#d())},()=>{}))}async connect(){if(await this.#n.promise,this.#e){let t={protocolVersion:Dt,capabilities:{},clientInfo:ve},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#n.reject(new k(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#c);this.#s?.close(),this.holder.close()}focus(){this.frame.focus(),this.#c()}#c=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#u(t){this.#t.answered(t),this.#s?this.#s.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#m({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#l(s,()=>E(s)?void this.transport.receive(s):this.#p(s))}#l(t,e){let s=this.#t.judge(E(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#b(new k(`${this.name}: The app sent too many messages`)):p(s)?this.#u({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#p(t){let{type:e,payload:s}=p(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=s?.serverInfo??null,this.#o&&this.#a(),this.#d()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#y(s):this.#g(typeof e=="string"?e:"message",s??t,t)}#g(t,e,s){this.tell(t,e),t!=="message"&&this.tell("message",s),this.host.options.onAppMessage?.(s),this.host.tell("message",{app:this,message:s})}#d(){this.state==="loading"&&(this.state="ready"),this.#n.resolve()}#w(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#f();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:i})=>this.#v(i);if(t==="tools/call"&&e)return i=>this.#x(i);if(t==="resources/read"&&s)return({uri:i})=>s(String(i));if(t==="ui/notifications/size-changed")return i=>this.#y(i);if(t.includes("notifications/"))return i=>this.#g(t,i,{method:t,params:i})}#f(){this.#d();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:Ut,hostInfo:ve,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#x({name:t,arguments:e={}}){if(typeof t!="string"||!p(e))throw new f(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new f(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#v(t){if(typeof t!="string"||!si.test(t))throw new f(-32602,"A permission has a short name");let e=this.#i.get(t)??this.host.mayUse(t,this.id);return this.#i.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||w.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,I.maxHeight??0)}px`)}}#b(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#n.reject(t),this.host.unload(this.id),this.host.failed(t))}},ii="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function oi(o,t){let e=document.createElement("iframe");return Ee(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),o.csp&&e.setAttribute("csp",o.csp),o.csp&&!("csp"in e)&&console.warn(ii),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function ni(o,t,e){Ee(e,o,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),o.title||=e.name??e.id,Object.assign(o.style,t.style);for(let s of["width","height"]){let i=e[s];i!==void 0&&(o.style[s]=typeof i=="number"?`${i}px`:i)}return o}function Ee({attributes:o={}},t,e){for(let s in o)e.test(s)&&t.setAttribute(s,o[s])}var ri=["allow-scripts"],ai=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,hi=o=>new St(o),St=class extends T{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:ri,...t};let{container:e,allowedOrigins:s}=t,i=typeof e=="string"?document.querySelector(e):e;if(!(i instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=i,this.allowedOrigins=ci(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new L(`${e.origin} is not one of allowedOrigins`);let s=li(t.sandbox??this.options.sandbox,e),i=t.id??`app-${++this.#e}`;if(this.#t.has(i))throw new m(`There is an app with the id ${i} already`);let n=new dt(this,{...t,id:i,url:e,sandbox:s});this.#t.set(i,n);try{await n.open(this.container)}catch(r){throw this.unload(i),this.failed(r),r}return this.tell("load",n),n}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,s){let{hitl:i}=this.options;return!i||i.neverConfirm?.includes(t)&&!i.alwaysConfirm?.includes(t)?!0:await this.#s(()=>i.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#s(()=>s({permission:t,app:e}))}async#s(t){let e=this.options.hitl?.confirmationTimeout??3e4,s=new Promise(i=>setTimeout(i,e,!1));try{return await Promise.race([t(),s])===!0}catch(i){return this.failed(i),!1}}};function ci(o){if(!Array.isArray(o)||o.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of o)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...o]}function li(o,t){let e=o.find(i=>ai.test(i));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(o.includes("allow-same-origin")&&o.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return o}var Rt=3e4,pi=256;var P=class extends Error{constructor(t,e){super(t),this.code=e}},pt=class extends P{constructor(){super(ee(),"TRANSPORT_CLOSED")}},At=class extends P{constructor(t){super(Zt(t),"REQUEST_TIMEOUT")}},It=class extends P{constructor(t){super(te(t),"REQUEST_CANCELLED")}};function ke(o,t=16777216,e=!0){let s=[],i=0,n="",r=!1,a=S(o,l=>{n={}.toString.call(l).slice(8,-1);let d=n=="ArrayBuffer";return r||=d,i+=(s.at(-1)?.length??0)+(n=="String"?l.length:d?l.byteLength:2),n=="Number"&&!isFinite(l)&&(n=""+l),i<=t&&(d?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(n))},s),h=i>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is no name":" is a "+n);return{length:i,hasBuffers:r,flaw:a?"":h}}var Se=o=>JSON.parse(JSON.stringify(o)),Oe=o=>typeof o=="number"||typeof o=="string"&&o.length<1e3,Ae=o=>"method"in o&&"id"in o;var fi=o=>p(o)&&o.jsonrpc=="2.0"&&Oe(o.id??0)&&("method"in o?typeof o.method=="string"&&p(o.params??{}):"result"in o!=p(o.error)),Lt=class extends z{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=Se(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new It(e):new At(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},D=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#s=[];#i=!1;rpc=new Lt(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#s.splice(0).forEach(this.#o),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:s=A()},i){return this.rpc.request(t,e,{timeout:Rt,...i,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof f)return Se({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,i={...t,type:s+(t.method?":request":":response")};this.say(this.#i?i:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:i,...n}=t??{},{messageType:r}=this;s===r&&this.deliver(i),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#i=!0,this.deliver({...n,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=fi(t)?ke(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!p(t)||!Oe(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#o(t):this.#s.length<pi?this.#s.push(t):this.dropped++}violated(t){this.violations++,Ot(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new pt),[...this.#e].forEach(Ot))}release(){}#o=t=>{for(let e of[...this.#t])Ot(()=>e(t))};verify(t){if(!this.isConnected)throw new pt;let{flaw:e,hasBuffers:s}=ke(t,this.limit,this.carriesBuffers);if(e)throw new P("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function Ot(o){try{await o()}catch(t){console.error(t)}}var ui=o=>new Mt(o),Mt=class{#t;#e;#s=!1;#i=new Set;#o=new T;#r=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:i}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new D,{post:n=>{let r=n.method?"mcp:notification":"mcp:response";this.#n(Ae(n)?n:{type:r,payload:n})},farewell(){}}),s&&this.transport.serve(n=>async r=>{try{return await s(n,r)}catch(a){throw i?.(a),a}}),addEventListener("message",n=>this.#a(n))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#n({type:t,payload:e})}onMessage(t,e){return this.#o.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:Rt,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),i=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||i?!1:(this.#i.add(t),!0)}getPermissions(){return[...this.#i]}#n(t){for(let e of this.#r===null?this.options.allowedOrigins:[this.#r])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#r??=e,e!==this.#r||typeof s!="object"||s===null))return;let{type:i,payload:n,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):i==="mcp:request"?this.transport.deliver({...n,jsonrpc:"2.0"}):i==="app:init"?this.#h(n??{}):typeof i=="string"&&(i==="auth:refresh"&&this.#c(n),this.#o.tell(i,"payload"in s?n:s))}#h({data:t,authContext:e}){this.#s||(this.#s=!0,this.#c(e),this.#t=t,this.options.onInitialData?.(t))}#c(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var mi="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",gi="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",wi=50,Nt=class o extends HTMLElement{static origins=new Set([location.origin,new URL(b).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#s=null;#i=null;#o=null;#r=null;#n={};#a=[];#h;constructor(){super(),this.#t=new ct(this,{retry:()=>this.reload(),leave:()=>this.#y("inline")});let{panel:t,stage:e}=this.#t;this.#e=new R(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#k());t.observe(this),this.#a=[ot(()=>this.#k()),()=>t.disconnect(),be(e=>this.#i?.report("sign-in",{query:e}))],this.#c()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#l(),this.#E("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#S();this.#r=null,this.reload()}}setDisplayMode(t){this.#i&&this.#v(t)}focus(){this.#i?.frame.focus()}reload(){this.#l(),this.isConnected&&this.#c()}#c(){if(!this.#r&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#m())return this.#b("arguments","The attribute arguments is not a JSON object.");let t=this.#u();if(t===null)return this.#b("base",mi);this.#E("loading");let e=_(this);this.#t.setTheme(e),this.#o=t!==b?null:C.open(this.getAttribute("view"),this.#t.stage,e,{call:this.getAttribute("call")??"",context:()=>this.#T(),resized:i=>this.#t.setHeight(i)});let s=!0;this.#s=N(t).open(()=>this.#p(),{mounted:i=>this.#g(i),frame:i=>this.#i?this.#i.receive(i):this.#f(i),waiting:i=>this.#t.setWaiting(i&&this.#i!==null),failed:(i,n)=>{if(i==="gone"&&s&&this.#i)return s=!1,void this.reload();this.#b(i,n)}})}#u(){let t=this.getAttribute("base");if(!t)return b;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&o.origins.has(s.origin)?s.href:null}#m(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return p(t)?t:null}catch{return null}}#l(){w.forget(this),this.#e.clear(),this.#i?.remove(),this.#o?.frame.remove(),this.#i=this.#o=null,this.#y("inline"),this.#s?.close(),this.#s=null,this.#t.setWaiting(!1),this.#t.setProgress(null)}#p(){this.#o||(this.#n=this.#T());let t={context:this.#o?{}:this.#n,origin:location.origin},e=this.#r??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#m(),...t}}async#g(t){let{leaky:e}=t,s=e?.do==="refuse";if(s||this.#d(t),!e)return;let i=this.#s,n=await(s?bt:Qt)(e.probe,this.#t.stage);!i||i!==this.#s||(n&&i.send({event:"leaky",refused:s}),s&&(n?this.#b("leaky",gi):this.#d(t)))}#d(t){let e=this.#s;if(!e)return;this.#r=t.ticket??this.#r,this.#o&&(this.#n=this.#o.context??this.#T());let s=this.#w(t);this.#t.describe(t,s?.height),this.#i=new et(t,e,{shown:()=>this.#E("ready"),resized:({height:i})=>i===void 0||this.#t.setHeight(i),ended:(i,n)=>this.#b(i,n),escaped:()=>this.#e.isOpen||this.#y("inline"),act:i=>this.#f(i),context:()=>this.#n},s?.frame),s?s.handOver(this.#i):this.#i.frame.start(this.#t.stage)}#w(t){let e=this.#o;return this.#o=null,e?.fits(t)?e:(e?.frame.remove(),null)}#f(t){t.ask!==void 0?this.#s?.ask(this.#e,t.ask,t.question):t.unask!==void 0?this.#e.unask(t.unask):t.do==="open-link"?this.#x(t.url):t.do==="display-mode"?this.#v(t.mode,!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?Ht(t.files,()=>this.#i?.report("error",{message:"download"})):t.do==="remove"&&(this.#l(),this.#E("closed"))}async#x(t){let e=Ft(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,i={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#e.ask(e,i))&&qt(e)}#v(t,e=!1){w.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&y.isWriting);this.#y(s?"fullscreen":"inline")})}#y(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#i?.frame.focus(),this.#S()),this.#i?.report("display-mode",{mode:t})}#b(t,e){this.error={code:t,message:e},this.#l(),this.#E("error")}#E(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#T(){return it(this,{displayMode:this.displayMode,...this.#t.room()})}#k(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#S()},wi)}#S(){this.#t.setTheme(_(this));let t=this.#T(),e=me(this.#n,t);this.#n=t,!(!this.#i||Object.keys(e).length===0)&&(e.theme&&this.#i.frame.setTheme(t.theme),this.#i.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",Nt);var Ie="mcp:",Le=(o,t,e=t)=>new Promise((s,i)=>{let n=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(Ie+o,{signal:e},n).catch(i)}),Re=(o,t,e)=>{navigator.locks.request(Ie+o,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var ft=class extends D{constructor(t=self,e){super(e),this.target=t.port??t;let s=(i,n)=>this.target.addEventListener(i,n,this.over);s("message",({data:i})=>this.take(i)),s("close",()=>this.ended()),t.addEventListener("error",({message:i})=>i||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Le(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):Re(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var _t=class{stopWatching=()=>{};constructor(){this.host=c("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[ht()],this.panel=c("dialog",{class:"over",role:"presentation"});let e=c("div");t.append(this.panel),this.dialog=new R(this.panel,e,()=>{}),this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.refuse.click()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}async ask(t,e,s){this.host.isConnected||document.body.append(this.host);let i=this.dialog.ask(t,e,s);this.panel.open||(this.#t(),this.stopWatching=ot(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let n=await i;return this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),n}unask(t){this.dialog.unask(t)}#t(){this.panel.style.colorScheme=_(document.body)}},bi,Ct=()=>bi??=new _t;var Me="notifications/initialized",ut=class{#t=new Map;#e=0;#s=null;#i=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:i}=t;if(s===Me&&this.#i||(s===Me&&(this.#i=!0),s==="initialize"&&this.#o(e)))return;if(s==="notifications/cancelled")return this.#r(t);if(!s||e===void 0)return this.toServer(t);let n=++this.#e,r=i?._meta?.progressToken;this.#t.set(n,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?i:{...i,_meta:{...i._meta,progressToken:n}};this.toServer({...t,id:n,...a?{params:a}:{}})}#o(t){this.#s&&this.toHost({...this.#s,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#s!==null||e!==void 0}#r(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let s=this.#t.get(t.params?.progressToken);return s&&this.toHost({...t,params:{...t.params,progressToken:s.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#s=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};var Nn=o=>new Pt(o),Pt=class extends EventTarget{state="connecting";error=null;#t=null;#e=!1;#s;#i=[];#o=new AbortController;constructor({ticket:t,transport:e,base:s=b}){super(),this.transport="onMessage"in e?e:new ft(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#s=new ut(i=>this.#h(i),i=>this.#c(i)),this.#i=[this.transport.onMessage(i=>this.#s.fromServer(i)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#u,this.#o),addEventListener("focus",this.#u,this.#o),this.#r()}close(){this.#m("closed",null)}async#r(){this.#e=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#m("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=N(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#e=!0,this.error=null,this.#l("offered")},frame:e=>this.#a(e),failed:(e,s)=>this.#n(e,s)}))}#n(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#l("connecting");let s=this.#e;if(this.#t?.close(),this.#t=null,this.#s.forget(),t!=="gone"||!s)return this.#m("error",{code:t,message:e});this.#l("connecting"),this.#r()}#a(t){t.bytes?this.#s.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s.fromHost(t.message):t.ask!==void 0?this.#t?.ask(Ct(),t.ask,t.question):t.unask!==void 0&&Ct().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#s.fromServer(Ne(t.id,`${e}`))}}#c(t){!this.#e||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Ne(t.id,"The answer is longer than the host takes")})}#u=()=>{!document.hidden&&this.#e&&this.#t?.send({event:"visible"})};#m(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#i.splice(0))s();this.#o.abort(),this.#s.forget(),this.#t?.close(),this.#t=null,this.error=e,this.#l(t)}}#l(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Ne=(o,t)=>({jsonrpc:"2.0",id:o,error:{code:-32603,message:t}});export{k as AppConnectionError,m as AppLoadError,q as AppTimeoutError,Nt as McpApp,rt as McpAppPreload,Pt as OfferedServer,L as OriginNotAllowedError,ui as createAppChild,hi as createAppHost,Nn as offerServer};
