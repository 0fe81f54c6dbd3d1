var ce="2025-11-25",de="2026-01-26",ue=["2026-01-26","2025-11-21"];var w=s=>({}).toString.call(s)=="[object Object]",Y=s=>w(s)||Array.isArray(s)||Object(s)!==s&&typeof s!="bigint",C=(s,t,e=[],i=0)=>t(s)&&(Object(s)!==s||i<256&&Object.keys(s).every(n=>(e.splice(i,256,n),n!="__proto__"&&C(s[n],t,e,i+1))));function ot(s){let t=typeof s=="string"&&URL.canParse(s)?new URL(s):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function rt(s){globalThis.open(s.href,"_blank","noopener,noreferrer")}var Ei=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,fe=120;function Ti(s){let i=(String(s??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),n=/\.[^.]{1,16}$/.exec(i)?.[0]??"",o=i.length>fe?i.slice(0,fe-n.length).trimEnd()+n:i;return!o||Ei.test(o)?`download${o&&"-"}${o}`:o}function pe(s,t){for(let e of s){let i=Si(e);i?Oi(i,Ti(e.name)):t?.(e)}}function Si({text:s,blob:t,mimeType:e}){let i=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof s=="string")return new Blob([s],{type:i});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),n=>n.charCodeAt(0))],{type:i})}catch{return null}}function Oi(s,t){let e=document.createElement("a");e.href=URL.createObjectURL(s),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var Pt=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(i=>[...i.values()]);this.#e.clear();for(let i of e)i()}when(t,e,i){if(this.#t.size===0)return i();let n=this.#e.get(t)??new Map;n.delete(e),this.#e.set(t,n.set(e,i))}forget(t){this.#e.delete(t)}},Ai=globalThis,Ii=Symbol.for("cloche.calm"),v=Ai[Ii]??=new Pt;function h(s,t={},...e){let i=document.createElement(s);for(let[n,o]of Object.entries(typeof t=="string"?{class:t}:t))n in i&&!n.includes("-")?Reflect.set(i,n,o):o!==""&&i.setAttribute(n,o);return i.append(...e.filter(n=>n!=null&&n!==!1)),i}function at(s){if(s.assignedSlot)return s.assignedSlot;let t=s.getRootNode();return s.parentElement??(t instanceof ShadowRoot?t.host:null)}var me="http://www.w3.org/2000/svg";function ht(s){let t=document.createElementNS(me,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(me,"path"),i={d:s,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[n,o]of Object.entries(i))e.setAttribute(n,o);return t.append(e),t}var Li=700,Ri=100,Ni=100,lt=2,ct=class{#t=0;#e=0;#i=!1;#s=!1;#n="";#r=0;#o=new Set;#a;#h;constructor(t,e,i,n){this.shade=t,this.box=e,this.buttons=i,this.changed=n}start(){this.stop(),this.#n="",this.#s=!1,this.#u(),this.changed(!1),this.#l(),this.#w(),this.#m()}stop(){this.#i=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#r)}counts(t){return this.#d(),t.isTrusted&&this.#i}#l(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},i=()=>this.#u();addEventListener("scroll",i,e),addEventListener("resize",i,e),globalThis.visualViewport?.addEventListener("resize",i,e),globalThis.visualViewport?.addEventListener("scroll",i,e),document.addEventListener("visibilitychange",i,e),this.shade.addEventListener("pointerdown",()=>this.#c(),e),this.shade.addEventListener("keydown",n=>this.#p(n),e);for(let n of["pointerup","pointercancel","keyup"])addEventListener(n,()=>this.#f(),e);addEventListener("pointermove",n=>n.buttons===0&&this.#f(),e)}#w(){if(this.#o.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:Ni,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let i of e){let{isVisible:n,target:o}=i;n?this.#o.delete(o):this.#o.add(o)}},t);for(let e of this.#x())this.#o.add(e),this.#h.observe(e)}#m(){this.#r=requestAnimationFrame(()=>{this.#d(),this.#m()})}#d(){let t=this.#x(),e=[this.box,...t].map(Mi).join(),i=e===this.#n;if(this.#n=e,!i||this.#s||!this.#v(t))return this.#u();let n=performance.now();this.#t+=Math.min(n-this.#e,Ri),this.#e=n,!this.#i&&this.#t>=Li&&this.#g(!0)}#u(){this.#t=0,this.#e=performance.now(),this.#i&&this.#g(!1)}#g(t){this.#i=t,this.changed(t)}#c(){this.#d(),this.#i||(this.#s=!0)}#p(t){this.#d();let e=t.key==="Enter"||t.key===" ";this.#i&&!(e&&t.repeat)||(this.#s=!0,this.#u())}#f(){this.#s&&(this.#s=!1,this.#u())}#x(){return this.buttons.filter(t=>!t.hidden)}#v(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(Ci)&&t.every(i=>_i(i)&&(!this.#o.has(i)||qi(i)))}};function Mi(s){let{x:t,y:e,width:i,height:n}=s.getBoundingClientRect();return`${t} ${e} ${i} ${n}`}function Ci(s){let{left:t,top:e,right:i,bottom:n,width:o}=s.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:l,height:c}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return o>0&&t>=r-1&&e>=a-1&&i<=r+l+1&&n<=a+c+1}function _i(s){let{left:t,top:e,right:i,bottom:n}=s.getBoundingClientRect(),[o,r]=[(t+i)/2,(e+n)/2],a=s.getRootNode();return[[o,r],[t+lt,r],[i-lt,r],[o,e+lt],[o,n-lt]].every(([c,f])=>a.elementFromPoint(c,f)===s)}function qi(s){for(let t=s;t;t=at(t)){let{opacity:e,filter:i,transform:n}=getComputedStyle(t);if(e!=="1"||i!=="none"||n!=="none")return!0}return!1}var $t=29e5;function ge(s,t){let e=h("textarea",{rows:1,class:"lines code",placeholder:"base64",spellcheck:!1}),i=h("input",{type:"file","aria-label":`File for ${s.title??t.name}`});s.contentMediaType&&(i.accept=s.contentMediaType);let n=h("span",{class:"about",role:"status"});e.value=s.default??"",i.onchange=async()=>{let[r]=i.files??[];r&&(n.textContent=r.size>$t?`${r.name} is larger than ${$t/1e6} MB.`:`Reading ${r.name} \u2026`,!(r.size>$t)&&(e.value=await Pi(r),n.textContent=`${r.name}, ${r.size} bytes`))},e.oninput=()=>n.textContent="";let o=_(e,s,t);return o.insertBefore(h("div","actions",i,n),e),{element:o,read:()=>{let r=e.value.replaceAll(/\s/g,"");if(r==="")return j(e,t);if(!/^[A-Za-z0-9+/_-]*={0,2}$/.test(r))throw new g("Choose a file, or write base64",e);return r},write:r=>e.value=r??""}}function Pi(s){return new Promise((t,e)=>{let i=new FileReader;i.onload=()=>t(String(i.result).split(",")[1]??""),i.onerror=()=>e(i.error),i.readAsDataURL(s)})}function S(s,t,e=0){let i=typeof s?.$ref=="string"&&s.$ref.startsWith("#/")?s.$ref.slice(2).split("/"):null;if(!i||e>20)return s??{};let n=t;for(let a of i){let l=decodeURIComponent(a).replaceAll("~1","/").replaceAll("~0","~");n=Object.hasOwn(n??{},l)?n[l]:void 0}let{$ref:o,...r}=s;return{...S(n??{},t,e+1),...r}}function we(s,t){let e=Array.isArray(s.type)?s.type.map(n=>({...s,type:n})):[];return(s.anyOf??s.oneOf??e).map(n=>S(n,t)).filter(n=>n.type!=="null")}function Q(s,t){let e=n=>typeof n=="string"?n:JSON.stringify(n);if(Array.isArray(s.enum)){let n=s.enumNames?.length===s.enum.length?s.enumNames:[];return s.enum.map((o,r)=>({value:o,title:String(n[r]??e(o))}))}let i=(s.oneOf??s.anyOf??[]).map(n=>S(n,t));return i.length===0||!i.every(n=>"const"in n)?null:i.map(n=>({value:n.const,title:String(n.title??e(n.const))}))}function be(s){let t=["title","description","default","examples"].filter(e=>s[e]!==void 0);return Object.fromEntries(t.map(e=>[e,s[e]]))}function X(s){if(typeof s.type=="string")return s.type;if(s.properties)return"object";if(s.items)return"array"}function $i(s){let[,t]=s.split(/\bExamples?:/i,2),[e,i]=(t??"").trimStart().split(/[\n;]/,2),n=e.trimEnd(),o=i===void 0&&n.endsWith(".")?n.slice(0,-1):n;return/^[`"']?([^`"']+)[`"']?$/.exec(o.trimEnd())?.[1].trim()??""}function F(s){let[t]=Array.isArray(s.examples)?s.examples:[];return t!==void 0?typeof t=="string"?t:JSON.stringify(t):$i(String(s.description??""))}function xe(s,t){try{return new RegExp(s,"u").test(t)}catch{return!0}}var Di=200,ji=100,Fi=0;function ye(s,t){let e=`suggestions-${++Fi}`,i=h("datalist",{id:e}),n=h("input",{type:"text",autocomplete:"off"});n.setAttribute("list",e);let o,r=0,a=async()=>{let c=++r,f=await t(s,n.value).catch(()=>[]);c===r&&i.replaceChildren(...f.slice(0,ji).map(p=>new Option(p,p))),i.isConnected||n.after(i)},l=()=>{clearTimeout(o),o=setTimeout(a,Di)};return n.addEventListener("input",l),n.addEventListener("focus",l),n}var g=class extends Error{constructor(t,e){super(t),this.element=e}};function Z(s){if(s.draft)return s.draft();try{return s.read()}catch{return}}var ve={date:"date",time:"time","date-time":"datetime-local",email:"email",uri:"url",color:"color"},zi={email:"Enter an e-mail address",url:"Enter a whole address, such as https://example.com"},Dt=0;function tt(s,t){let e=S(s,t.root);if("const"in e)return Ie(e);if(Q(e,t.root))return Ae(e,t);let i=we(e,t.root);if(i.length===1)return tt({...i[0],...be(e)},t);if(i.length>1)return Vi(e,i,t);let n=String(X(e));return Object.hasOwn(ke,n)?ke[n](e,t):et(e,k(e,t.name))}var ke={boolean:Wi,integer:Te,number:Te,string:Oe,array:Ji,object:(s,t)=>s.properties?ut(s,t):Gi(s,t),null:()=>Ie({const:null})},k=(s,t)=>String(s.title??t),Se=s=>"default"in s?s.default??"":F(s);function _(s,t,{name:e,required:i}){let n=s.id=`field-${++Dt}`;i&&(s.required=!0);let o=h("label",{htmlFor:n},k(t,e));i&&o.append(" ",h("span","required","required"));let r=t.description&&h("span",{id:`${n}-about`,class:"about"},t.description),a=h("span",{id:`${n}-problem`,class:"problem",role:"alert"});return s.setAttribute("aria-describedby",(r?r.id+" ":"")+a.id),h("div","field",o,s,r,a)}function Oe(s,t){if(s.contentEncoding==="base64"||s.format==="byte")return ge(s,t);let e=Object.hasOwn(ve,s.format)?ve[s.format]:void 0,i=/time/.test(e??"")?"1":"",n=t.suggest?ye(t.name,t.suggest):e?h("input",{type:e,step:i}):Ui();return n.placeholder=F(s),n.value=Ee(Se(s),e),{element:_(n,s,t),read:()=>{let o=n.value;if(o==="")return j(n,t);if(n.validity.typeMismatch)throw new g(zi[n.type]??"This does not fit",n);return Hi(o,s,n),e==="datetime-local"?Bi(o):o},write:o=>n.value=o==null?"":Ee(o,e)}}function Ui(){let s=h("textarea",{rows:1,class:"lines",title:"Shift+Enter starts a new line"});return s.addEventListener("keydown",t=>{t.key!=="Enter"||t.shiftKey||t.isComposing||(t.preventDefault(),!t.ctrlKey&&!t.metaKey&&s.form?.requestSubmit())}),s}function Hi(s,{minLength:t,maxLength:e,pattern:i},n){let o=[...s].length;if(t!==void 0&&o<t)throw new g(`At least ${t} characters`,n);if(e!==void 0&&o>e)throw new g(`At most ${e} characters`,n);if(i!==void 0&&!xe(i,s))throw new g(`Must match ${i}`,n)}function Bi(s){let t=-new Date(s).getTimezoneOffset(),e=i=>String(Math.floor(Math.abs(i))).padStart(2,"0");return`${s}${s.length===16?":00":""}${t<0?"-":"+"}${e(t/60)}:${e(t%60)}`}function Ee(s,t){let e=typeof s=="string"?s:JSON.stringify(s);return t==="datetime-local"?e.replace(/(?:Z|[+-]\d\d:\d\d)$/,""):e}function j(s,t){if(t.required)throw new g("Required",s)}function Te(s,t){let e=s.type==="integer",{minimum:i="",maximum:n=""}=s,o=h("input",{type:"number",step:e?"1":"any",min:i,max:n});return o.placeholder=F(s),o.value=Se(s),{element:_(o,s,t),read:()=>{if(o.validity.badInput)throw new g("Enter a number",o);if(o.value==="")return j(o,t);let r=Number(o.value);if(e&&!Number.isInteger(r))throw new g("Enter a whole number",o);if(r<(s.minimum??-1/0))throw new g(`At least ${s.minimum}`,o);if(r>(s.maximum??1/0))throw new g(`At most ${s.maximum}`,o);return r},write:r=>o.value=r??""}}function Wi(s,t){if(!t.required&&s.default===void 0)return Ae({...s,enum:[!0,!1]},t);let e=h("input",{type:"checkbox",checked:s.default===!0}),i=_(e,s,{...t,required:!1});return i.classList.add("check"),{element:i,read:()=>e.checked,write:n=>e.checked=n===!0}}function Ae(s,t){let e=Q(s,t.root)??[],i=h("select",{},(!t.required||s.default===void 0)&&new Option("\u2013",""));e.forEach(({title:o},r)=>i.append(new Option(o,String(r))));let n=o=>{let r=e.findIndex(a=>JSON.stringify(a.value)===JSON.stringify(o));i.value=r<0?"":String(r)};return n(s.default),{element:_(i,s,t),read:()=>i.value===""?j(i,t):e[Number(i.value)].value,write:n}}function Ki(s,t){let e=Q(S(s.items,t.root),t.root)??[],i=e.map(({title:u})=>{let m=h("input",{type:"checkbox",id:`field-${++Dt}`});return{box:m,element:h("div","field check",h("label",{htmlFor:m.id},u),m)}}),n=`field-${++Dt}`,o=h("span",{id:`${n}-problem`,class:"problem",role:"alert"}),r=t.required&&h("span","required","required"),a=h("legend",{},k(s,t.name)," ",r),l=s.description&&h("span","about",s.description),c={id:n,class:"several",tabIndex:-1,"aria-describedby":o.id},f=h("fieldset",c,a,l,...i.map(u=>u.element),o),p=u=>i.forEach(({box:m},M)=>m.checked=Array.isArray(u)&&u.includes(e[M].value));return p(s.default),{element:f,read:()=>{let u=e.filter((T,G)=>i[G].box.checked).map(T=>T.value);if(u.length===0&&!t.required)return;let{minItems:m=0,maxItems:M=1/0}=s;if(u.length<m)throw new g(`Choose at least ${m}`,f);if(u.length>M)throw new g(`Choose at most ${M}`,f);return u},write:p}}var Ie=s=>({element:h("div",{hidden:!0}),read:()=>s.const,write:()=>{}});function Ft(s,t){let e=h("div"),i=t&&h("legend",{},k(s,t)),n=t&&s.description&&h("span","about",s.description);return[h("fieldset",{},i,n,e),e]}function ut(s,t){let[e,i]=Ft(s,t.name),n=new Map,o=()=>{for(let[d,u]of Object.entries(s.properties??{})){let m=(s.required??[]).includes(d),{root:M,depth:T,suggest:G}=t,le=tt(u,{root:M,depth:T+1,name:d,required:m,suggest:G});n.set(d,le),i.append(le.element)}},r=!t.required&&t.name!==""&&(s.required??[]).length>0,a=t.depth>2||r,l=k(s,t.name),c=()=>{n.clear(),i.replaceChildren(dt(`Add ${l}`,f))},f=()=>{i.replaceChildren(),o(),i.append(dt(`Remove ${l}`,c)),Le(i)};a?c():o();let p=d=>{let u=[...n].map(([T,G])=>[T,d(G)]),m=Object.fromEntries(u.filter(([,T])=>T!==void 0));return Object.keys(m).length===0&&!t.required&&t.name?void 0:m};return{element:e,read:()=>p(d=>d.read()),draft:()=>p(Z),write:d=>{a&&d&&!n.size?f():a&&!d&&c();for(let[u,m]of n)m.write(Object.hasOwn(d??{},u)?d[u]:void 0)}}}var dt=(s,t,e=s)=>h("button",{type:"button",onclick:t,"aria-label":e},s),Le=s=>s.querySelector("input, select, textarea, button")?.focus();function Re(s,t,e){let i=k(s,t.name),[n,o]=Ft(s,t.name),r=new Map,a=()=>{let d=e(r.size+1),u=()=>(r.delete(m),m.remove(),l.focus()),m=h("div","row",d.element,dt("\u2715",u,`Remove from ${i}`));return r.set(m,d),o.append(m),d},l=dt("Add",()=>Le(a().element),`Add to ${i}`);return n.append(l),{element:n,read:()=>{let d=[...r.values()].map(u=>u.read());if(d.length<(s.minItems??0))throw new g(`At least ${s.minItems}`,n);return d.length||t.required?d:void 0},write:d=>{r.clear(),o.replaceChildren();for(let u of d)a().write(u)},draft:()=>{let d=[...r.values()].map(Z).filter(u=>u!==void 0);return d.length?d:void 0}}}function Ji(s,t){if(Q(S(s.items,t.root),t.root))return Ki(s,t);let e=k(s,t.name);if(X(S(s.items??{},t.root))==="array"||s.prefixItems)return et(s,e,t);let n=Re(s,t,r=>tt(s.items??{},jt(t,`${e} ${r}`))),o=r=>n.write(Array.isArray(r)?r:[]);return o(s.default),{...n,write:o}}var jt=({root:s,depth:t},e)=>({root:s,depth:t+1,name:e,required:!0});function Gi(s,t){let e=s.additionalProperties;if(e===!1)return ut({...s,properties:{}},t);if(typeof e!="object")return et(s,k(s,t.name),t);let i=Re({...s,minItems:0},t,()=>{let a=Oe({title:"Key"},jt(t,"Key")),l=tt(e,jt(t,"Value"));return{element:h("div","pair",a.element,l.element),read:()=>[a.read(),l.read()],write:([c,f])=>(a.write(c),l.write(f))}}),n=()=>{let a=i.read();return a&&Object.fromEntries(a)},o=()=>Object.fromEntries((i.draft?.()??[]).filter(a=>a?.[0])),r=a=>i.write(Object.entries(a??{}));return r(s.default),{...i,read:n,write:r,draft:o}}function Vi(s,t,e){let[i,n]=Ft(s,e.name),o=t.map((p,d)=>new Option(p.title??X(p)??`choice ${d+1}`,String(d))),r=h("select",{"aria-label":`Kind of ${k(s,e.name)}`},...o),a=t.map(p=>tt(p,{...e,depth:e.depth+1})),l=()=>n.replaceChildren(a[Number(r.value)].element);r.addEventListener("change",l),i.insertBefore(r,n),l();let c=p=>{let d=t.findIndex(u=>Yi(p,X(u)));d>=0&&(r.value=String(d)),l(),a[Number(r.value)].write(p)};s.default!==void 0&&s.default!==null&&c(s.default);let f=()=>a[Number(r.value)];return{element:i,read:()=>f().read(),write:c,draft:()=>Z(f())}}function Yi(s,t){return t==="array"?Array.isArray(s):t==="integer"?Number.isInteger(s):t==="object"?typeof s=="object"&&s!==null&&!Array.isArray(s):typeof s===t}function et(s,t,e){let i=h("textarea",{rows:2,spellcheck:!1,class:e?"code lines":"code tall"});return i.placeholder=F(s),i.value=s.default===void 0?F(s):JSON.stringify(s.default,null,2),{element:_(i,{...s,title:t},e??{root:s,depth:0,name:t}),read:()=>{if(!i.value.trim())return e?j(i,e):void 0;try{return JSON.parse(i.value)}catch(n){throw new g(`This is not JSON: ${n.message}`,i)}},write:n=>i.value=n===void 0?"":JSON.stringify(n,null,e?0:2)}}var ft=class{constructor(t,e){this.schema=t,this.body=ut(t,{root:t,depth:0,name:"",suggest:e}),this.raw=et({},"Arguments as JSON"),this.raw.element.hidden=!0,this.element=h("div","fields",this.body.element,this.raw.element)}get isRaw(){return!this.raw.element.hidden}setRaw(t){if(t===this.isRaw)return;Ne(this.element);let e=t?Z(this.body)??{}:this.#t();this.raw.element.hidden=!t,this.body.element.hidden=t,this.write(e)}#t(){let t=this.read(),e=Object.keys(t).filter(o=>!Object.hasOwn(this.schema.properties??{},o));if(!e.length)return t;let i=this.raw.element.querySelector("textarea")??void 0,n=new g(`The form has no field for ${e.join(", ")}: remove it, or stay with JSON`,i);throw Me(n),n}read(){Ne(this.element);try{let t=(this.isRaw?this.raw:this.body).read()??{};if(typeof t!="object"||Array.isArray(t))throw new g("Arguments must be one JSON object");return t}catch(t){throw t instanceof g&&Me(t),t}}write(t){(this.isRaw?this.raw:this.body).write(t)}};function Ne(s){for(let t of s.querySelectorAll(".problem"))t.textContent="";for(let t of s.querySelectorAll("[aria-invalid]"))t.removeAttribute("aria-invalid")}function Me({element:s,message:t}){if(!s)return;s.setAttribute("aria-invalid","true");let i=s.getRootNode().getElementById(`${s.id}-problem`);i&&(i.textContent=t),s.focus()}var Qi=0,z=class{#t=[];#e;#i;#s=!1;#n=null;#r;constructor(t,e,i){this.panel=t,this.stage=e,this.giveBack=i;let n=`cloche-question-${++Qi}`;this.title=h("h2",{id:`${n}-title`}),this.text=h("p",{id:`${n}-text`}),this.details=h("pre",{tabIndex:0}),this.form=h("form",{class:"form",noValidate:!0}),this.problem=h("p",{class:"danger",role:"alert"}),this.time=h("span",{class:"time",role:"timer"}),this.refuse=h("button",{class:"refuse",onclick:()=>this.#p(!1)}),this.lasting=h("button","lasting"),this.accept=h("button","accept main");let o=h("div","row",this.time,h("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=h("div",a,this.title,this.text,this.details,this.problem,this.form,o),this.shade=h("div",{class:"shade",hidden:!0},this.box),this.#r=new ct(this.shade,this.box,[this.lasting,this.accept],l=>this.#w(l)),this.accept.addEventListener("click",l=>this.#r.counts(l)&&this.#h()),this.form.addEventListener("submit",l=>{l.preventDefault(),this.#r.counts(l)&&this.#h()}),this.form.addEventListener("input",()=>this.#l()),this.lasting.addEventListener("click",l=>this.#r.counts(l)&&this.#p("page")),this.shade.addEventListener("keydown",l=>this.#g(l)),t.append(this.shade)}ask(t,e,i=()=>{}){return new Promise(n=>{this.#t.push({key:t,question:e,resolve:n,seen:i}),this.#t.length===1&&this.#o()})}unask(t){let e=this.#t.findIndex(i=>i.key===t);if(e===0)this.dismiss();else if(e>0){let[{question:i,resolve:n}]=this.#t.splice(e,1);n(zt(i))}}clear(){for(let{question:t,resolve:e}of this.#t.splice(1))e(zt(t));this.dismiss()}dismiss(){this.#t.length>0&&this.#p(zt(this.#t[0].question))}get isOpen(){return this.#t.length>0}#o(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=es(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.problem.textContent=t.problem??"",this.problem.hidden=!t.problem,this.#a(t),this.#i=void 0,this.shade.hidden=!1,v.begin(this),this.#d(),this.#r.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#m(),250),this.#m()}#a({form:t,values:e}){this.#n=t?new ft(t):null,this.#n&&e&&this.#n.write(e),this.form.replaceChildren(...this.#n?[this.#n.element]:[]),this.form.hidden=!t}#h(){let{question:t}=this.#t[0];if(this.#n){try{this.#p({content:this.#n.read()})}catch(i){if(!(i instanceof g))throw i}return}let e=t.link?ot(t.link):null;e&&rt(e),this.#p(!0)}#l(){let t=this.#t[0];if(!t||this.#i===void 0)return;let e=performance.now()+Ut(t.question)*1e3;e-this.#i<Xi||(this.#i=e,t.seen())}#w(t){for(let i of[this.accept,this.lasting])i.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#i!==void 0||(this.#i=performance.now()+Ut(e.question)*1e3,e.seen())}#m(){if(this.#t.length===0)return;let t=Ut(this.#t[0].question),e=this.#i===void 0?t:(this.#i-performance.now())/1e3;if(e<=0)return this.#p(null);let i=Ce(this.#t[0].question)?"cancels":"means no";this.time.textContent=`No answer ${i}: ${String(Math.ceil(e)).padStart(String(t).length,ts)} s`}#d(){let t=this.#u(),e=t.activeElement!==null;this.#s||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#u(){return this.panel.getRootNode()}#g(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.dismiss()):t.key==="Tab"&&this.#c(t)}#c(t){let e=[...this.form.querySelectorAll("input, select, textarea, button")].map(Zi),i=[this.details,...e,this.refuse,this.lasting,this.accept].filter(a=>!a.closest("[hidden]")),n=this.#u(),o=i.findIndex(a=>a===n.activeElement),r=o<0?t.shiftKey?i.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),i[(r+i.length)%i.length].focus()}#p(t){let e=this.#t.shift();this.#t.length>0?this.#o():this.#f(),e?.resolve(t)}#f(){clearInterval(this.#e),this.#r.stop();let t=this.#u(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#s&&this.giveBack(),this.#s=!1,v.end(this)}},Xi=5e3,Zi=s=>s,Ce=({form:s,link:t})=>s!==void 0||t!==void 0,zt=s=>Ce(s)?"cancel":!1,ts="\u2007",Ut=s=>s.seconds??30;function es(s){if(s==null)return"";if(typeof s!="object")return String(s);let t=Object.entries(s).map(([e,i])=>[e,is(i)]);return t.length===1?t[0][1]:t.map(([e,i])=>`${e}: ${i}`).join(`
`)}var is=s=>typeof s=="string"?s:JSON.stringify(s)??"";var pt=class{#t=new Map;#e=new Map;#i=[];#s=!1;#n=null;#r=new Map;pressed(t){t.repeat&&!this.#o(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#s=t.shiftKey,this.#l(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#o(t)||this.#a(t),this.#t.delete(t.code),this.#s=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,i){let n=performance.now(),o=n+1e3;this.#r.set(t,{until:o,taken:i}),this.#n={at:n,until:o,field:e,isShifted:this.#s}}acquit(t){this.#r.delete(t),this.#r.size===0&&(this.#n=null)}doubt(t){return Math.max(0,(this.#r.get(t)?.until??0)-performance.now())}#o({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#n;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:i,code:n,shiftKey:o,altKey:r,ctrlKey:a,metaKey:l,isComposing:c}=t;if(!(i.length>1&&i!=="Backspace"||r||a||l||c)){this.#e.set(n,t.timeStamp),o===e.isShifted&&this.#h({key:i,code:n,at:e.at,types:!0},e.field);for(let[f,{until:p,taken:d}]of this.#r)this.#r.delete(f),performance.now()<p&&d()}}#h({key:t,code:e,at:i},n){if(!n?.isConnected)return;let o=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!n.dispatchEvent(o))return;let r=n;if(t==="Enter"&&n.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,l=r.value?.length,f=this.#i.filter(u=>u.field===n&&u.at>i).reduce((u,{step:m})=>u+m,0),p=f>0?0:Number(r.selectionEnd)-Number(a);a!==null&&f>0&&r.setSelectionRange(a-f,a-f),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||_e(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let d=t==="Delete"?a:Number(a)+r.value?.length-l+p;a!==null&&r.setSelectionRange(d,d),this.#l(n,t,i)}#l(t,e,i){this.#i=[...this.#i.filter(n=>performance.now()-n.at<3e4),{field:t,at:i,step:_e(e)}]}};function _e(s){return s==="Backspace"?-1:[...s].length===1?s.length:0}var ss=3,ns=6e4,os=300,rs=500,as=100,qe=1e3,hs=250,Pe=20,ls="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",cs="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",Bt=class{#t=new Map;#e=null;#i=null;#s=-1/0;#n=-1/0;#r=!1;#o=null;#a=null;#h=!1;#l=new pt;#w;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#m()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#i!==t?this.#E(t,this.#e):this.#i=null,this.#S(e,this.#e))}holdBack(t,e){let i=e&&this.isWriting;return Math.max(i||this.#y()?hs:0,this.#l.doubt(t))}get isWriting(){return De(this.#i===null&&this.#x()?this.#e:mt())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let i=this.#t.get(t);!i||this.#i!==null||this.#r||e.at<i.hadUntil||(i.keys.push(e),this.#k(t,i))}#m(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#d(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#c()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#s=e.timeStamp)},t),addEventListener("keydown",e=>this.#p(e),t),addEventListener("keyup",e=>this.#l.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#f(),t),this.#e=mt()}#d(t){this.#o=this.#a=null;let[e]=t.composedPath(),i=this.#r&&e===this.#e;this.#r=!1,e instanceof HTMLElement&&!i&&this.#u(e)}#u(t){this.#e=t,this.#s=performance.now(),this.#g();for(let e of this.#t.values())e.sandbox.ask().then(i=>e.wasActive=i.isActive)}#g(){let t=this.#i&&this.#t.get(this.#i);t&&(t.hadUntil=performance.now()),this.#i=null}#c(){mt()===null&&document.hasFocus()&&this.#u(null)}#p(t){t.isTrusted&&(this.#g(),this.#s=t.timeStamp,this.#l.pressed(t),this.#o=t.key==="Tab"?t:null,!this.#o&&!t.ctrlKey&&!t.metaKey&&(this.#n=performance.now()))}#f(t=0){clearTimeout(this.#w);let e=this.#x();this.#r=!e&&t===Pe,!e&&!document.hasFocus()&&t<Pe&&(this.#w=setTimeout(()=>this.#f(t+1),t));let i=e&&this.#t.get(e);i&&this.#k(e,i)}#x(){return[...this.#t.keys()].find(t=>$e(t).activeElement===t)}#v(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:i,defaultPrevented:n}=this.#o??{timeStamp:-1/0,defaultPrevented:!0},o=!n&&performance.now()-i<rs;return e||o||this.#e===null||!this.#e.isConnected}#y(){return this.#e?.isConnected===!0&&this.#e.matches(ls)}#b(t,e){this.#i=t,e.keys=[]}async#k(t,e){if(this.#v(t))return this.#b(t,e);let i=this.#e,n=this.#s,o=this.#y(),r=t.closest("[inert]")!==null,a=performance.now()-this.#n<os;this.#l.suspect(t,i,e.sandbox.stolen);let l=setTimeout(()=>this.#E(t,i),a||r?0:as),c=await(r?Ht(0):Promise.race([e.sandbox.ask(),Ht(qe)]));clearTimeout(l);let f=c?.isKnown===!1&&c.isActive&&!e.wasActive&&!a,p=c!==null&&(c.pointedAt>n||f);if(this.#t.get(t)===e){if(!p)return this.#T(t,e,i,o,c!==null);this.#l.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:d})=>d>this.#s),this.#s===n&&(this.#b(t,e),mt()===i&&e.sandbox.focus())}}async#T(t,e,i,n,o){if(this.#E(t,i),o&&await Promise.race([e.sandbox.ask(),Ht(qe)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(l=>r-l<ns),r],(this.#S(e,i)||n||e.thefts.length>=ss)&&e.sandbox.stolen()}#E(t,e){if($e(t).activeElement!==t)return;let i=this.#s;t.blur(),e?.focus({preventScroll:!0}),this.#s=i}#S(t,e){let i=t.keys.splice(0);for(let n of i)this.#l.reported(n,De(e)?e:null);return i.length>0}};function Ht(s){return new Promise(t=>setTimeout(t,s,null))}function $e(s){return s.getRootNode()}function De(s){return s!==null&&(s.isContentEditable||s.matches(cs))}function mt(){let s=document.activeElement;for(;s?.shadowRoot?.activeElement;)s=s.shadowRoot.activeElement;return s instanceof HTMLElement&&s!==document.body?s:null}var ds=globalThis,us=Symbol.for("cloche.keyboard"),O=ds[us]??=new Bt;var b=class extends Error{constructor(t,e,i){super(e),this.code=t,this.data=i}},P=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),it=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,i){return i?i.reason:new b(-32001,t+": no answer")}request(t,e={},{id:i=P(),timeout:n=6e4,signal:o,onProgress:r,transfer:a}={}){let l,c;return new Promise((f,p)=>{if(c=u=>{let m=this.unanswered(t,i,u&&o);p(m),this.notify("notifications/cancelled",{requestId:i,reason:String(m)})},o?.aborted)throw this.unanswered(t,i,o);o?.addEventListener("abort",c);let d=()=>{clearTimeout(l),l=n&&setTimeout(c,n)};this.pending.set(i,{resolve:f,reject:p,progress:u=>(d(),r?.(u))}),d(),r&&(e={...e,_meta:{...e._meta,progressToken:i}}),this.post({id:i,method:t,params:e},a)}).finally(()=>{this.pending.delete(i),clearTimeout(l),o?.removeEventListener("abort",c)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:i,result:n,error:o}){let r=this.pending.get(e?e=="notifications/progress"&&i?.progressToken:t);return e?r?.progress(i):o?r?.reject(Object.assign(new b,o)):r?.resolve(n),r}async answer({id:t,method:e,params:i},n){i??={},e=="notifications/cancelled"&&this.running.get(i.requestId)?.abort(i.reason);let o=n(e);if(t==null)return o?.(i);let r=new AbortController;this.running.set(t,r);let a=l=>r.signal.aborted||this.post({id:t,...l});try{if(!o)throw new b(-32601,"Not available: "+e);a({result:await o(i,r.signal,t)??{}})}catch(l){a({error:{code:+l?.code||-32603,message:String(l?.message??l),data:l?.data}})}finally{this.running.delete(t)}}},gt=class extends it{constructor(t,e,i){super(),this.send=t,this.find=e,this.onerror=i}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:i,params:n={},result:o,error:r}=t;if(C(t,Y)&&!w(e)&&w(i?n:r??(o===void 0||{})))return this.settle(t)||i&&this.answer(t,this.find);let a=new b(-32600,"Invalid message");this.onerror(a),i||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(i,n)=>{if(Y(n)||typeof n=="function")return n;throw new b(-32600,i+" is not JSON")});this.send(JSON.parse(e))}};var gs=1e4,ws,bs=10,xs,Fe=()=>xs??=ys();function ys(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let s=document.createElement("iframe");s.style.display="none",document.body.append(s);let t=s.contentDocument;for(let e=1;t?.body&&e<bs;e++){let i=t.createElement("iframe");t.body.append(i),t=i.contentDocument}return s.remove(),!t?.body}var Wt=(s,t=document.body)=>ws??=vs(s,t),je=!1;async function ze(s,t){return je?!1:(je=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),Wt(s,t))}function vs({url:s,origin:t},e){let i=P(),n=document.createElement("iframe");return n.setAttribute("sandbox","allow-scripts allow-same-origin"),n.style.display="none",n.src=`${s}#${i}`,new Promise(o=>{let r=c=>{clearTimeout(l),removeEventListener("message",a),n.remove(),o(c)},a=({source:c,origin:f,data:p})=>{c!==null&&c===n.contentWindow&&f===t&&p?.nonce===i&&r(p.leaky!==!1)},l=setTimeout(()=>r(!0),gs);addEventListener("message",a),e.append(n)})}var Ue=s=>"Request "+s+" timed out",He=s=>"Request "+s+" was cancelled",Be=()=>"Transport is closed",We=()=>"This id is in use by a request that is not answered yet";var $={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},Es=4;function st(s,{bytes:t,depth:e}){let i=[],n=t,o="";return C(s,a=>{let l=i.at(-1)??"",c=typeof a=="string"?a:"";return n-=Es+l.length+c.length+(Array.isArray(a)?a.length:0),n<0?o="is too large":c.isWellFormed()?Object(a)===a&&i.length>=e?o="is nested too deeply":(!Y(a)||typeof a=="symbol"||!l.isWellFormed())&&(o="is not JSON"):o="holds half a character",!o},i)?null:o||"is not JSON"}function I(s){return typeof s=="object"&&!Array.isArray(s)&&s?.jsonrpc==="2.0"}var A=class{constructor(t,e,i=()=>performance.now()){this.rate=t,this.burst=e,this.now=i,this.left=e,this.last=i()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},wt=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new A(t.rate,t.burst,e),this.patience=new A(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=st(t,this.limits);return e?this.#e(t,-32600,"The message "+e):I(t)?Ke(t)?this.#t.has(t.id)?this.#e(t,-32600,We()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,i){return Ke(t)?{code:e,message:i}:"drop"}},Ke=s=>typeof s?.method=="string"&&/^(string|number)$/.test(typeof s.id);var Ts=20,Ss=5,Kt=new Map;function Je(s,t,e){return s?(addEventListener("message",Os,{capture:!0}),Kt.set(s,{bucket:new A(Ss,Ts),count:0,proxy:t,flooded:e}),()=>{Kt.delete(s)}):()=>{}}function Os(s){if(s.isTrusted&&s.source===null&&s.origin==="null")return s.stopImmediatePropagation();let t=As(s.source),e=t&&Kt.get(t);e&&(s.source!==e.proxy()&&s.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function As(s){let t=s&&"parent"in s?s:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var Ge="ui/notifications/sandbox-",Is="allow-scripts allow-same-origin allow-forms",Jt=2e4,Ls=5e3,Rs=5e3,Ns=1e4,Ye=10,Ms=30,Ve=Ns/Ye,Cs=250,_s=.25,U=class{#t=P();#e=0;#i=0;#s=!1;#n=Ms;#r=!1;#o=0;#a=[];#h=!1;#l=()=>{};#w=new Map;#m=0;#d=-1/0;#u=1/0;#g=[-1/0,1/0];#c=null;#p;constructor(t,e){this.options=t,this.bucket=new A(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",Is),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!qs(this.options.sandbox))return this.#f("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#b),document.addEventListener("securitypolicyviolation",this.#y),this.element.addEventListener("load",()=>this.#v()),this.#x(Jt),t.append(this.element),O.watch(this.element,{ask:()=>this.#A(),focus:()=>this.focus(),release:()=>this.#_(),stolen:()=>this.#f("focus")})}get isOver(){return this.#r}show(t,e,i){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:i}),this.#c&&(this.#x(Jt),this.#S(e))}post(t){this.#c?.postMessage({message:t})}postBytes(t){this.#c?.postMessage({bytes:t},[t])}setTheme(t){this.#c?.postMessage({theme:t})}focus(){O.give(this.element),this.#c?.postMessage({focus:!0})}remove(){this.#r=!0,clearTimeout(this.#p),this.#l(),O.unwatch(this.element),removeEventListener("message",this.#b),document.removeEventListener("securitypolicyviolation",this.#y),this.#c?.close(),this.#c=null,this.element.remove()}#f(t,e){this.#r||(this.remove(),this.handlers.ended(t,e))}#x(t){clearTimeout(this.#p),this.#p=setTimeout(()=>this.#f("silent"),t)}#v(){if(this.#e+=1,this.#e>1)return this.#f("navigated");this.#T(),!(this.#c||this.#r)&&this.#x(Ls)}#y=({effectiveDirective:t,blockedURI:e})=>{let{origin:i}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(i)&&this.#f("blocked")};#b=t=>{if(!this.#k(t))return;removeEventListener("message",this.#b),this.#T();let{html:e}=this.options;e?this.#x(Jt):clearTimeout(this.#p);let i=new MessageChannel;this.#c=i.port1,this.#c.onmessage=({data:r})=>this.#M(r);let n={nonce:this.#t},o={jsonrpc:"2.0",method:Ge+"port",params:n};this.#E()?.postMessage(o,this.options.sandbox.origin,[i.port2]),e&&this.#S(e)};#k({source:t,origin:e,data:i}){return i?.method===Ge+"proxy-ready"&&i.params?.nonce===this.#t&&e===this.options.sandbox.origin&&t!==null&&t===this.#E()}#T(){this.#l();let t=e=>this.#f("flood",{count:e});this.#l=Je(this.element.contentWindow,()=>this.#E(),t)}#E(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#S(t){let{frame:e,limits:i,theme:n}=this.options;try{let o=await t;clearTimeout(this.#p),this.setTheme(n);let r=!e.framed&&Fe();this.#c?.postMessage({html:o,frame:e,limits:i,deep:r}),this.#r||this.#I()}catch(o){this.#f("html",o)}}#A(){if(!this.#c)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#m,e=performance.now();return this.#c.postMessage({question:t}),new Promise(i=>this.#w.set(t,{at:e,told:i}))}#R({question:t,now:e,timeOrigin:i,isActive:n}){let o=this.#w.get(t);if(this.#w.delete(t),o&&typeof e=="number"){let[a,l]=this.#g;this.#g=[Math.max(a,e-performance.now()),Math.min(l,e-o.at)],this.#u=Math.min(Math.max(performance.timeOrigin-i,this.#g[0]),this.#g[1])}let r=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#d-this.#u,isActive:n===!0,isKnown:r})}#N({pointedAt:t,typedAt:e,key:i,code:n,types:o}){typeof t=="number"&&(this.#d=Math.max(this.#d,t)),!(typeof i!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&O.pressed(this.element,{key:i,code:String(n),types:o===!0,at:Number(e)-this.#u})}#I(){this.#s=!1,this.#c?.postMessage({ping:++this.#i}),this.#L(0)}#L(t){let e=performance.now()+Ve;this.#p=setTimeout(()=>{if(this.#s)return void(this.#p=setTimeout(()=>this.#I(),Rs));let i=t+(performance.now()-e>Cs?_s:1);i>=this.#n?this.#f("unresponsive"):this.#L(i)},Ve)}#M(t){if(!this.bucket.take())return this.#f("flood",{count:2*this.options.limits.burst});this.#r||t===null||typeof t!="object"||(this.#s=!0,t.event==="navigated"||t.event==="flood"?this.#f(t.event,{count:Number(t.count)}):t.event==="told"?this.#R(t):t.event==="pressed"?this.#N(t):typeof t.event=="string"?this.#q(t):"message"in t&&this.#C(t))}#C({message:t,gesture:e,hasFocus:i}){let n=performance.now();this.#o=Math.max(this.#o,n+O.holdBack(this.element,i===!0)),this.#a.push({message:t,gesture:e,until:this.#o}),this.#h||this.#O()}#_(){this.#o=0;for(let t of this.#a)t.until=0;this.#O()}#O(){for(this.#h=!1;!this.#r&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#O(),t);return}let[{message:e,gesture:i}]=this.#a.splice(0,1);this.handlers.message(e,i)}}#q(t){t.event==="loaded"&&(this.#n=Ye,this.#A()),this.handlers.event(t)}};function qs({url:s,origin:t,around:e=t}){let i=URL.canParse(s)?new URL(s):null;return(i?.protocol==="https:"||i?.protocol==="http:")&&i.origin===e&&![t,e].includes(location.origin)}var bt=class{#t=null;#e=[];#i=0;#s=0;#n=0;#r=!1;#o=!1;#a;#h=[];constructor(t,e,i,n){this.socket=t,this.view=e,this.opening=i,this.handlers=n}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#s})}else this.#e=[],this.#i=this.#s=this.#n=0,this.#r=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#r=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let i=++this.#i;return this.#e.push({n:i,frame:t}),this.#e.length>2e3?this.#f("overflow","The host did not answer for too long."):this.#r&&this.socket.send({...t,view:this.view,n:i}),!0}async ask(t,e,i){let n=o=>this.#o||this.send({answer:e,value:o});n(await t.ask(e,i,()=>n("seen"),this))}close(){this.#o||(this.#o=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#o||(t.mount?this.#l(t.mount):t.error?this.#f(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#w(t.resumed):t.got!==void 0?this.#m(t.got):t.n===this.#s+1&&this.#d(t))}#l(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#w(t){this.#m(t),this.#r=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#m(t){let e=this.#e.findIndex(i=>i.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#d(t){if(this.#s=t.n,this.#s-this.#n>=32?this.#u():this.#a??=setTimeout(()=>this.#u(),1e3),t.body===void 0)return this.#g(t);let e=this.#p(t.body);t.free?e.then(i=>this.#o||this.handlers.frame(i),()=>{}):this.#g(e)}#u(){clearTimeout(this.#a),this.#a=void 0,!(this.#o||!this.#r)&&(this.#n=this.#s,this.socket.send({view:this.view,got:this.#s}))}#g(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#c()}async#c(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#o)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#p(t){try{return{bytes:await Qe(new URL(t,this.socket.base).href)}}catch(e){throw this.#f("body",e instanceof Error?e.message:String(e)),e}}#f(t,e){this.#o||(this.close(),this.handlers.failed(t,e))}},Ps=4,$s=500;async function Qe(s){for(let t=1;;t++){try{let e=await fetch(s,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=Ps)throw e}await new Promise(e=>setTimeout(e,$s*2**(t-1)))}}var xt=async s=>new TextDecoder().decode(await Qe(s));var Xe={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var Ze={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},ti={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var js=new Map([...Object.entries(Xe).map(([s,t])=>[t,s]),...Object.entries(ti)]);function yt({method:s}){return js.get(s)??s}function vt({initialize:s,limits:t,profile:e},i,n){let o={...i.containerDimensions};o.height===void 0&&t?.maxHeight&&(o.maxHeight=t.maxHeight);let r={...s.hostContext,...i,containerDimensions:o},a={...s,hostContext:r};return ue.includes(n.protocolVersion)||(a.hostCapabilities=Fs(s)),e?zs(a,e):a}function Fs({hostCapabilities:s,hostContext:t}){let e=Object.entries(Ze).filter(([,i])=>i in s);return{...s,...Object.fromEntries(e.map(([i])=>[i,!0])),displayModes:t.availableDisplayModes??["inline"]}}function zs({hostContext:s,...t},{context:e,withoutContext:i,omits:n}){let o=(r,a)=>Object.fromEntries(Object.entries(r).filter(([l])=>!a.includes(l)));return o({...t,hostContext:{...o(s,i),...e}},n)}var Us={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},kt=class{#t=!1;#e;#i;#s=[];constructor(t,e,i,n){this.packet=t,this.channel=e,this.stage=i,this.limits={...$,...t.limits},this.methods=new Set(t.methods??[]),this.#i=t.first??[],this.handlers={message:(o,r)=>this.#w(o,r),event:o=>this.#l(o),ended:(o,r)=>this.#a(o,r)},this.frame=n??this.#n(),this.frame.element.title=t.title||t.tool||"App"}#n(){let{sandbox:t,frame:e}=this.packet,i=xt(new URL(this.packet.html,this.channel.socket.base).href);i.catch(()=>{});let{theme:n}=this.stage.context();return new U({sandbox:t,frame:e,limits:this.limits,theme:n,html:i},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#o(t.message)||this.frame.post(t.message):this.stage.act(t)}#r(){for(let t of this.#i.splice(0))this.#s.push(JSON.stringify(t)),this.frame.post(t)}#o(t){return this.#s.length>0&&this.#s[0]===JSON.stringify(t)&&this.#s.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Us[t]}#l(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();Bs.includes(t.event)&&this.channel.send(Ks(t))}#w(t,e){if(st(t,this.limits)||!I(t))return;let i=yt(t);if(i==="ui/initialize"&&t.id!==void 0)return this.#m(t);if(i==="ping"&&t.id!==void 0)return this.#g(t.id,{});if(i==="ui/notifications/initialized")return this.report("initialized"),this.#r();if(i==="ui/notifications/size-changed")return this.#d(t.params??{});if(t.id!==void 0&&typeof i=="string"&&!this.methods.has(i))return this.#c(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let n=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...n})&&t.id!==void 0&&this.#c(t.id,-32600,"The message is too large")}#m({id:t,params:e={}}){this.#g(t,vt(this.packet,this.stage.context(),e)),this.greeted(e)}greeted(t){this.#t||this.report("initialize",{params:t,context:this.stage.context()}),this.#t=!0,this.stage.shown()}#d(t){let e=this.#e!==void 0;this.#u={...e?this.#u:{},...Gt(t,this.limits.maxHeight)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#u),this.report("size",this.#u)}))}#u={};#g(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#c(t,e,i){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:i}})}},Hs=1e4;function Gt(s,t=6e3){let e={},i={width:Hs,height:t};for(let n of["width","height"]){let o=s?.[n];typeof o=="number"&&o>=0&&(e[n]=Math.min(Math.ceil(o),i[n]))}return e}var Bs=["violation","error","console"],Ws=["event","message","directive","blocked","level"];function Ks(s){let t=Ws.filter(i=>typeof s[i]=="string"),e=Number.isSafeInteger(s.line)&&s.line>0?{line:s.line}:{};return{...Object.fromEntries(t.map(i=>[i,s[i].slice(0,500).toWellFormed()])),...e}}var ei=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var Et=Object.fromEntries(ei.split(`
`).filter(s=>s.startsWith("  --")).map(s=>s.slice(2,-1).split(": ")));var ii=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
.inside {
  display: contents;
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
.panel:not(.bordered, .large) .bar {
  border-bottom: 0;
  background: none;
}
.panel:not(.large) .bar :is(.name, .leave) {
  display: none;
}
.large .bar {
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
.large .bar .origin {
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

.bar > .small {
  min-height: 24px;
  margin: 2px 8px;
  padding: 0 8px;
  font-size: var(--font-text-xs-size);
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
.large .stage {
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
/* A long form scrolls by itself, so that the buttons are always in sight. */
.over .question {
  display: flex;
  flex-direction: column;
  max-height: calc(100dvh - 24px);
}
.over .question > :not(.form) {
  flex: none;
}
.question .form {
  flex: 0 1 auto;
  min-height: 64px;
  margin: 4px -16px 0;
  padding: 4px 16px;
  overflow: auto;
}
.form fieldset {
  min-width: 0;
  margin: 0;
  padding: 0;
  border: 0;
}
.form legend {
  padding: 0;
}
.form .fields > fieldset > div {
  display: grid;
  gap: 12px;
}
.form .field {
  display: grid;
  gap: 4px;
  min-width: 0;
}
.form :is(label, legend) {
  overflow-wrap: anywhere;
  font-weight: var(--font-weight-medium);
}
.form :is(.about, .required, .problem) {
  overflow-wrap: anywhere;
  font-size: var(--font-text-xs-size);
  line-height: var(--font-text-xs-line-height);
  font-weight: var(--font-weight-normal);
  color: var(--color-text-secondary);
}
.form .problem {
  grid-area: auto;
  color: var(--color-text-danger);
}
.form .problem:empty {
  display: none;
}
.form :is(input:not([type="checkbox"]), select, textarea) {
  box-sizing: border-box;
  width: 100%;
  min-height: 32px;
  padding: 4px 8px;
  border: var(--border-width-regular) solid var(--color-border-primary);
  border-radius: var(--border-radius-md);
  background: var(--color-background-primary);
  color: var(--color-text-primary);
  font: inherit;
}
.form textarea {
  resize: vertical;
  field-sizing: content;
  max-height: 160px;
}
.form [aria-invalid] {
  border-color: var(--color-border-danger);
}
.form :is(input, select, textarea):focus-visible {
  outline: 2px solid var(--color-ring-primary);
  outline-offset: 1px;
}
.form .field.check {
  grid-template-columns: auto minmax(0, 1fr);
  align-items: baseline;
  column-gap: 8px;
}
.form .check > input {
  grid-area: 1 / 1;
  margin: 0;
}
.form .check > label {
  grid-area: 1 / 2;
}
.form .check > :is(.about, .problem) {
  grid-column: 2;
}
.form .several {
  display: grid;
  gap: 4px;
}
.form .several > .check > label {
  font-weight: var(--font-weight-normal);
}
.form .several > legend {
  margin-bottom: 4px;
}
.question p.danger {
  color: var(--color-text-danger);
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
`;var Tt;function St(){return Tt||(Tt=new CSSStyleSheet,Tt.replaceSync(ii.replaceAll(/var\((--[\w-]+)\)/g,(s,t)=>`var(${t}, ${Et[t]})`))),Tt}var Vs=300;function H(s){let t=s.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(s).colorScheme,i=document.querySelector("meta[name=color-scheme]"),n=(e==="normal"?i?.content??"":e).split(" "),[o,r]=[n.includes("light"),n.includes("dark")];return o&&r?si().matches?"dark":"light":o||r?r?"dark":"light":Qs(Ys(s))?"dark":"light"}var si=()=>matchMedia("(prefers-color-scheme: dark)");function Ys(s){for(let t=s;t;t=at(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function Qs(s){let[t,e]=s.split("("),[i,n,o]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return i/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*i+.587*n+.114*o)/r<.5}function Xs(s){let t=getComputedStyle(s);return Object.fromEntries(Object.entries(Et).map(([e,i])=>{let n=t.getPropertyValue(e).trim();return[e,n&&n.length<=Vs?n:i]}))}function Ot(s,{displayMode:t,width:e,height:i}){return{theme:H(s),styles:{variables:Xs(s)},displayMode:t,containerDimensions:i===void 0?{width:e}:{width:e,height:i},locale:s.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function ni(s,t){let e=Object.entries(t).filter(([i,n])=>JSON.stringify(n)!==JSON.stringify(s[i]));return Object.fromEntries(e)}function At(s){let t=new MutationObserver(s);for(let i of[document.documentElement,document.body])t.observe(i,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=si();return e.addEventListener("change",s),()=>{t.disconnect(),e.removeEventListener("change",s)}}var Vt=class{stopWatching=()=>{};#t=new Map;constructor(){this.host=h("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[St()],this.panel=h("dialog","over");let e=h("div");t.append(this.panel),this.dialog=new z(this.panel,e,()=>{});for(let i of["role","aria-modal","aria-labelledby","aria-describedby"])this.panel.setAttribute(i,this.dialog.box.getAttribute(i)??""),this.dialog.box.removeAttribute(i);this.panel.addEventListener("cancel",i=>{i.preventDefault(),this.dialog.dismiss()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}ask(t,e,i=()=>{},n={}){let o=this.#t.get(t),r=o?.seen??new Map;if(r.set(n,i),o)return o.said;let a=this.#e(t,e,()=>r.forEach(l=>l()));return this.#t.set(t,{said:a,seen:r}),a}async#e(t,e,i){this.host.isConnected||document.body.append(this.host);let n=this.dialog.ask(t,e,i);this.panel.open||(this.#i(),this.stopWatching=At(()=>this.#i()),this.panel.showModal(),this.dialog.box.focus());let o=await n;return this.#t.delete(t),this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),o}unask(t){this.dialog.unask(t)}forget(t){for(let[e,{seen:i}]of[...this.#t])i.delete(t)&&i.size===0&&this.unask(e)}#i(){this.panel.style.colorScheme=H(document.body)}},oi,E=()=>oi??=new Vt,B=s=>oi?.forget(s);var x=new URL(".",import.meta.url).href,Zs="cloche.1",tn=250,en=1e4,sn=1e3,ri=new Map;function L(s){let t=ri.get(s)??new Yt(s);return ri.set(s,t),t}var Yt=class{#t=new Map;#e=0;#i=null;#s=0;#n;constructor(t){this.base=t;let e=()=>{this.#n!==void 0&&!document.hidden&&this.#o()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:i})=>{if(!i&&this.isOpen)for(let n of this.#t.keys())this.send({close:n})})}get isOpen(){return this.#i?.readyState===WebSocket.OPEN}open(t,e){let i=new bt(this,++this.#e,t,e);return this.#t.set(i.view,i),this.isOpen?i.connected():!this.#i&&this.#n===void 0&&this.#o(),i}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#r(),sn)}send(t){this.isOpen&&this.#i?.send(JSON.stringify(t))}#r(){clearTimeout(this.#n),this.#n=void 0;let t=this.#i;this.#i=null,t?.close(1e3)}#o(){clearTimeout(this.#n),this.#n=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Zs);this.#i=t,t.onopen=()=>{this.#s=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#i===t&&this.#a(e)}#a(t){if(this.#i=null,this.#t.size===0)return;this.#s+=1;for(let i of[...this.#t.values()])i.disconnected(this.#s,t.reason);let e=Math.min(en,tn*2**(this.#s-1));this.#n=setTimeout(()=>this.#o(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var nn="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",ai=1e3,hi=-1/0,It=new Map,Qt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=xt(new URL(t.html,x).href)}frame(t,e,i){let{sandbox:n,frame:o}=this.packet,r={...$,...this.packet.limits};return new U({sandbox:n,frame:o,limits:r,html:t,theme:e},i)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new W(this),this.#t.frame.start(this.root))}show(t,e){let i=this.#t;this.#t=void 0;let n=i&&!i.frame.isOver&&t.getRootNode({composed:!0})===document,o=n?i:new W(this,this.html,e);return n?o.frame.show(t,this.html,e):o.frame.start(t),o}shown(){hi=performance.now(),this.#i(ai)}#i(t){setTimeout(()=>{let e=hi+ai-performance.now();e>0?this.#i(e):this.renew()},t)}greeting(t){let[e,i]=t.split(/ (.*)/s),n=this.packet.greetings??{};if(!Object.hasOwn(n,i??""))return null;let o=n[i],{toolInfo:r}=o.hostContext;return r?{...o,hostContext:{...o.hostContext,toolInfo:{...r,id:e}}}:o}remove(){this.#e=!0,this.#t?.frame.remove()}},W=class{context=null;#t=null;#e=null;height;#i=[];#s;constructor(t,e,i="light"){this.view=t,this.frame=t.frame(e,i,{message:(n,o)=>{!this.#s&&this.#n(n)||this.#o(({handlers:r})=>r.message(n,o))},event:n=>{n.event==="loaded"&&t.shown(),this.#o(({handlers:o})=>o.event(n))},ended:(n,o)=>this.#o(({handlers:r})=>r.ended(n,o))})}static open(t,e,i,n){let o=It.get(t??"");if(!o?.packet.early)return null;let r=o.show(e,i);return r.#e=n,r}fits({early:t,initialize:e}){let i=!this.#t||JSON.stringify(this.#t)===JSON.stringify(e);return this.view.packet.early===t&&i}#n(t){let{limits:e}=this.frame.options;if(!this.#e||st(t,e)||!I(t))return!1;let i=yt(t),n=t.params??{};if(i==="ui/notifications/size-changed"&&this.#r(n,e),i!=="ui/initialize"||t.id===void 0||this.#t)return!1;let o=this.view.greeting(this.#e.call);if(!o)return!1;this.#t=o,this.context=this.#e.context();let r=vt({...this.view.packet,initialize:o},this.context,n);return this.frame.post({jsonrpc:"2.0",id:t.id,result:r}),this.#o(a=>a.greeted(n)),!0}#r(t,e){let{height:i}=Gt(t,e.maxHeight);i!==void 0&&(this.height=i,this.#e?.resized(i))}#o(t){this.#s?t(this.#s):this.#i.push(t)}handOver(t){this.#s=t;for(let e of this.#i.splice(0))e(t)}},Lt=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#i=[];#s;#n=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=nn,this.#e=L(x).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#o(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#s&&this.#r(this.#s);for(let t of this.#i.splice(0))t.remove();this.#e?.close(),this.#e=null}#r(t){t.remove(),It.get(t.packet.view)===t&&It.delete(t.packet.view)}#o(t){let e=this.#s=new Qt(t,this.#n);Ot(this,{displayMode:"inline",width:0}),It.set(t.view,e),e.html.catch(()=>this.#r(e)),this.#a(e,Promise.resolve(""),i=>{this.#i=[i],e.renew(),this.#a(e,e.html,n=>{n.remove(),this.#t()})})}#a(t,e,i){let n=t.frame(e,"light",{message:()=>{},event:({event:o})=>o==="loaded"&&i(n),ended:()=>this.#t()});this.#i.push(n),n.start(this.#n)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Lt);var Xt=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;connectedCallback(){this.style.display="none",this.#e()}disconnectedCallback(){this.#s(),this.#n("idle")}attributeChangedCallback(){this.isConnected&&(this.#s(),this.#e())}#e(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#n("connecting");let e=!1;this.#t=L(x).open(()=>({questions:t}),{mounted:()=>{e=!0,this.#n("ready")},frame:i=>this.#i(i),failed:(i,n)=>{if(i!=="unreachable"){if(this.#s(),i==="gone"&&e)return this.#e();this.error={code:i,message:n},this.#n("error")}}})}#i(t){t.ask!==void 0?this.#t?.ask(E(),t.ask,t.question):t.unask!==void 0&&E().unask(t.unask)}#s(){this.#t&&B(this.#t),this.#t?.close(),this.#t=null}#n(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}};customElements.get("mcp-questions")||customElements.define("mcp-questions",Xt);var on="cloche.sign-in";function li(s){let t=new BroadcastChannel(on);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&s(e)},()=>t.close()}var rn="M8 2a6 6 0 1 1-6 6",an="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",hn="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",ln=400,Rt=class{constructor(t,e){this.host=t;let i=t.attachShadow({mode:"open"});i.adoptedStyleSheets=[St()],this.name=h("span","name"),this.server=h("strong"),this.origin=h("span","origin",ht(hn),h("span",{},"App from ",this.server)),this.leave=h("button",{class:"leave",onclick:e.leave},"Leave full screen"),this.questionsOff=h("button",{class:"small",hidden:!0,onclick:e.allowQuestions,title:"You declined three times in a row"},"Questions are off: allow");let n=h("div","whose",this.name,this.origin);this.stage=h("div","stage"),this.loading=h("div",{class:"note loading",role:"status"},ht(rn),h("div",{},"Loading the app")),this.hint=h("p"),this.retry=h("button",{onclick:e.retry},"Try again"),this.problem=h("div",{class:"note problem",role:"alert"},ht(an),h("div",{},h("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=h("progress",{max:1,"aria-label":"Progress"}),this.step=h("span"),this.progress=h("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let o="The connection is lost. Trying again; what you do here is kept.";this.lost=h("div",{class:"lost",role:"status"},o),this.inside=h("div",{class:"inside",role:"group"},h("header","bar",n,this.questionsOff,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.panel=h("dialog",{class:"panel bordered"},this.inside),this.origin.part.add("origin"),i.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:i,border:n,size:o,limits:r},a){let l=String(t||e||"App");this.name.textContent=l,this.server.textContent=String(i??""),this.origin.hidden=!i,this.inside.setAttribute("aria-label",l),this.panel.setAttribute("aria-label",l),this.panel.classList.toggle("bordered",n!==!1),this.setHeight(a??o?.height??r?.firstHeight??ln)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.inside.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setQuestionsOff(t){this.questionsOff.hidden=!t}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){v.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let i=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),t?this.panel.showModal():this.panel.open&&this.panel.close(),i}room(){let t=this.panel.classList.contains("large"),{width:e,height:i}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(i)}:{width:Math.round(e)}}};var y=class extends Error{code="APP_LOAD_FAILED"},R=class extends y{code="APP_DISCONNECTED"},nt=class extends y{code="APP_TIMEOUT"},D=class extends y{code="ORIGIN_NOT_ALLOWED"};var N=class{#t=new Map;on(t,e){let i=this.#t.get(t)??new Set;return this.#t.set(t,i.add(e)),()=>{i.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let i of this.of(t))i(...e)}clear(){this.#t.clear()}};var ci=new URL("./app-frame.js",import.meta.url).href,Nt=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,i){this.frame=t,this.url=e,this.handlers=i,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,i=Zt(this.element,"load");t.append(this.element),await i,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let n=this.element.contentWindow,{document:o}=n,r=Object.assign(o.createElement("script"),{type:"module",src:ci}),a=Zt(r,"load");o.head.append(r),await a,e.throwIfAborted(),this.#t=n.clocheAppFrame,n.addEventListener("message",this.handlers.received,{signal:e}),o.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let l=Zt(this.frame,"load");l.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(o.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,o.body.append(this.frame),await l}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new y("The app was unloaded")),this.element.remove()}};function Zt(s,t){return new Promise((e,i)=>{s.addEventListener(t,()=>e(),{once:!0}),s.addEventListener("error",()=>i(new y(`${ci} could not be loaded`)),{once:!0})})}var di={name:"cloche",version:"1"},cn=/^[a-z][a-z0-9-]{0,49}$/,Mt=class extends N{state="loading";serverInfo=null;#t=new wt($);#e;#i;#s=new Map;#n=!1;#r=!1;#o=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=un(t.options,e),this.holder=new Nt(this.frame,e.url,{received:i=>this.#m(i),left:()=>this.#b(new D(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#b(new R(`${this.name}: The app went to another page`))}),this.iframe=fn(this.holder.element,t.options,e),this.transport=new gt(i=>this.#w(i),i=>this.#p(i),i=>t.failed(i)),this.#o.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,n=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,o=setTimeout(()=>this.#o.reject(new nt(n)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#o.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#l);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(o)}}#a(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#o.promise.catch(()=>{}).then(()=>this.#i||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#i=e,this.#e="transport",e.onMessage(i=>this.#d(i,()=>{this.transport.receive(i)})),e.onClose(()=>this.#b(new R(`${this.name}: the app closed the connection`))),this.#c())},()=>{}))}async connect(){if(await this.#o.promise,this.#e){let t={protocolVersion:ce,capabilities:{},clientInfo:di},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#o.reject(new R(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#l);this.#i?.close(),this.holder.close()}focus(){this.frame.focus(),this.#l()}#l=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#r||this.state==="disconnected"||(this.#r=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#w(t){this.#t.answered(t),this.#i?this.#i.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,i){return this.transport.request(t,e,i)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#m({source:t,origin:e,data:i}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#d(i,()=>I(i)?void this.transport.receive(i):this.#u(i))}#d(t,e){let i=this.#t.judge(I(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});i==="cut"?this.#b(new R(`${this.name}: The app sent too many messages`)):w(i)?this.#w({jsonrpc:"2.0",id:t.id,error:i}):i==="pass"&&e()}#u(t){let{type:e,payload:i}=w(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=i?.serverInfo??null,this.#n&&this.#a(),this.#c()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...i,jsonrpc:"2.0"}):e==="app:resize"?this.#y(i):this.#g(typeof e=="string"?e:"message",i??t,t)}#g(t,e,i){this.tell(t,e),t!=="message"&&this.tell("message",i),this.host.options.onAppMessage?.(i),this.host.tell("message",{app:this,message:i})}#c(){this.state==="loading"&&(this.state="ready"),this.#o.resolve()}#p(t){let{onToolCall:e,onResourceRequest:i}=this.host.options;if(t==="ui/initialize")return()=>this.#f();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:n})=>this.#v(n);if(t==="tools/call"&&e)return n=>this.#x(n);if(t==="resources/read"&&i)return({uri:n})=>i(String(n));if(t==="ui/notifications/size-changed")return n=>this.#y(n);if(t.includes("notifications/"))return n=>this.#g(t,n,{method:t,params:n})}#f(){this.#c();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:de,hostInfo:di,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#x({name:t,arguments:e={}}){if(typeof t!="string"||!w(e))throw new b(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new b(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#v(t){if(typeof t!="string"||!cn.test(t))throw new b(-32602,"A permission has a short name");let e=this.#s.get(t)??this.host.mayUse(t,this.id);return this.#s.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let i=t?.[e];typeof i!="number"||!(i>=0)||v.when(this,e,()=>this.iframe.style[e]=`${Math.min(i,$.maxHeight??0)}px`)}}#b(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#o.reject(t),this.host.unload(this.id),this.host.failed(t))}},dn="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function un(s,t){let e=document.createElement("iframe");return ui(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),s.csp&&e.setAttribute("csp",s.csp),s.csp&&!("csp"in e)&&console.warn(dn),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function fn(s,t,e){ui(e,s,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),s.title||=e.name??e.id,Object.assign(s.style,t.style);for(let i of["width","height"]){let n=e[i];n!==void 0&&(s.style[i]=typeof n=="number"?`${n}px`:n)}return s}function ui({attributes:s={}},t,e){for(let i in s)e.test(i)&&t.setAttribute(i,s[i])}var pn=["allow-scripts"],mn=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,gn=s=>new te(s),te=class extends N{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:pn,...t};let{container:e,allowedOrigins:i}=t,n=typeof e=="string"?document.querySelector(e):e;if(!(n instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=n,this.allowedOrigins=wn(i),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new D(`${e.origin} is not one of allowedOrigins`);let i=bn(t.sandbox??this.options.sandbox,e),n=t.id??`app-${++this.#e}`;if(this.#t.has(n))throw new y(`There is an app with the id ${n} already`);let o=new Mt(this,{...t,id:n,url:e,sandbox:i});this.#t.set(n,o);try{await o.open(this.container)}catch(r){throw this.unload(n),this.failed(r),r}return this.tell("load",o),o}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,i){let{hitl:n}=this.options;return!n||n.neverConfirm?.includes(t)&&!n.alwaysConfirm?.includes(t)?!0:await this.#i(()=>n.onConfirmationRequired({name:t,arguments:e,app:i}))}async mayUse(t,e){let{onPermissionRequest:i}=this.options;return!!i&&await this.#i(()=>i({permission:t,app:e}))}async#i(t){let e=this.options.hitl?.confirmationTimeout??3e4,i=new Promise(n=>setTimeout(n,e,!1));try{return await Promise.race([t(),i])===!0}catch(n){return this.failed(n),!1}}};function wn(s){if(!Array.isArray(s)||s.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of s)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is no origin, such as https://app.example.com`);return[...s]}function bn(s,t){let e=s.find(n=>mn.test(n));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(s.includes("allow-same-origin")&&s.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return s}var oe=3e4,yn=256;var K=class extends Error{constructor(t,e){super(t),this.code=e}},Ct=class extends K{constructor(){super(Be(),"TRANSPORT_CLOSED")}},ie=class extends K{constructor(t){super(Ue(t),"REQUEST_TIMEOUT")}},se=class extends K{constructor(t){super(He(t),"REQUEST_CANCELLED")}};function fi(s,t=16777216,e=!0){let i=[],n=0,o="",r=!1,a=C(s,c=>{o={}.toString.call(c).slice(8,-1);let f=o=="ArrayBuffer";return r||=f,n+=(i.at(-1)?.length??0)+(o=="String"?c.length:f?c.byteLength:2),o=="Number"&&!isFinite(c)&&(o=""+c),n<=t&&(f?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(o))},i),l=n>t?"longer than "+t:i.length==256?"deeper than "+256:i.join(".")+(i.at(-1)=="__proto__"?" is no name":" is a "+o);return{length:n,hasBuffers:r,flaw:a?"":l}}var mi=s=>JSON.parse(JSON.stringify(s)),gi=s=>typeof s=="number"||typeof s=="string"&&s.length<1e3,wi=s=>"method"in s&&"id"in s;var vn=s=>w(s)&&s.jsonrpc=="2.0"&&gi(s.id??0)&&("method"in s?typeof s.method=="string"&&w(s.params??{}):"result"in s!=w(s.error)),ne=class extends it{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=mi(t)),this.transport.post(t,e)}unanswered(t,e,i){return i?new se(e):new ie(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},J=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#i=[];#s=!1;rpc=new ne(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#i.splice(0).forEach(this.#n),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:i=P()},n){return this.rpc.request(t,e,{timeout:oe,...n,id:i}).then(r=>({jsonrpc:"2.0",id:i,result:r}),r=>{if(r instanceof b)return mi({jsonrpc:"2.0",id:i,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:i}=this,n={...t,type:i+(t.method?":request":":response")};this.say(this.#s?n:{type:i,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:i,payload:n,...o}=t??{},{messageType:r}=this;i===r&&this.deliver(n),i===r+":close"&&this.ended(),(i===r+":request"||i===r+":response")&&(this.#s=!0,this.deliver({...o,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=vn(t)?fi(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!w(t)||!gi(t.id))return;let i={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:i});t={jsonrpc:"2.0",id:t.id,error:i}}this.rpc.settle(t)||this.#t.size?this.#n(t):this.#i.length<yn?this.#i.push(t):this.dropped++}violated(t){this.violations++,ee(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new Ct),[...this.#e].forEach(ee))}release(){}#n=t=>{for(let e of[...this.#t])ee(()=>e(t))};verify(t){if(!this.isConnected)throw new Ct;let{flaw:e,hasBuffers:i}=fi(t,this.limit,this.carriesBuffers);if(e)throw new K("A message is plain JSON: "+e,"INVALID_MESSAGE");return i}};async function ee(s){try{await s()}catch(t){console.error(t)}}var kn=s=>new re(s),re=class{#t;#e;#i=!1;#s=new Set;#n=new N;#r=null;constructor(t){let{allowedOrigins:e,onRequest:i,onError:n}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new J,{post:o=>{let r=o.method?"mcp:notification":"mcp:response";this.#o(wi(o)?o:{type:r,payload:o})},farewell(){}}),i&&this.transport.serve(o=>async r=>{try{return await i(o,r)}catch(a){throw n?.(a),a}}),addEventListener("message",o=>this.#a(o))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#o({type:t,payload:e})}onMessage(t,e){return this.#n.on(t,e)}async request(t,e,i){return await this.transport.rpc.request(t,e,{timeout:oe,...i})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),i=Reflect.get(document,"featurePolicy"),n=i?.features().includes(t)&&!i.allowsFeature(t);return e!==!0||n?!1:(this.#s.add(t),!0)}getPermissions(){return[...this.#s]}#o(t){for(let e of this.#r===null?this.options.allowedOrigins:[this.#r])parent.postMessage(t,e)}#a({source:t,origin:e,data:i}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#r??=e,e!==this.#r||typeof i!="object"||i===null))return;let{type:n,payload:o,jsonrpc:r}=i;r==="2.0"?this.transport.deliver(i):n==="mcp:request"?this.transport.deliver({...o,jsonrpc:"2.0"}):n==="app:init"?this.#h(o??{}):typeof n=="string"&&(n==="auth:refresh"&&this.#l(o),this.#n.tell(n,"payload"in i?o:i))}#h({data:t,authContext:e}){this.#i||(this.#i=!0,this.#l(e),this.#t=t,this.options.onInitialData?.(t))}#l(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var En="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",Tn="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",Sn=50,ae=class s extends HTMLElement{static origins=new Set([location.origin,new URL(x).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#i=null;#s=null;#n=null;#r=null;#o={};#a=[];#h;constructor(){super(),this.#t=new Rt(this,{retry:()=>this.reload(),leave:()=>this.#y("inline"),allowQuestions:()=>this.#s?.report("allow-questions")});let{panel:t,stage:e}=this.#t;this.#e=new z(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#E());t.observe(this),this.#a=[At(()=>this.#E()),()=>t.disconnect(),li(e=>this.#s?.report("sign-in",{query:e}))],this.#l()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#d(),this.#k("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,i){if(!(e===i||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#S();this.#r=null,this.reload()}}setDisplayMode(t){this.#s&&this.#v(t)}focus(){this.#s?.frame.focus()}reload(){this.#d(),this.isConnected&&this.#l()}#l(){if(!this.#r&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#m())return this.#b("arguments","The attribute arguments is not a JSON object.");let t=this.#w();if(t===null)return this.#b("base",En);this.#k("loading");let e=H(this);this.#t.setTheme(e),this.#n=t!==x?null:W.open(this.getAttribute("view"),this.#t.stage,e,{call:this.getAttribute("call")??"",context:()=>this.#T(),resized:n=>this.#t.setHeight(n)});let i=!0;this.#i=L(t).open(()=>this.#u(),{mounted:n=>this.#g(n),frame:n=>this.#s?this.#s.receive(n):this.#f(n),waiting:n=>this.#t.setWaiting(n&&this.#s!==null),failed:(n,o)=>{if(n==="gone"&&i&&this.#s)return i=!1,void this.reload();this.#b(n,o)}})}#w(){let t=this.getAttribute("base");if(!t)return x;let e=t.replace(/\/?$/,"/"),i=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return i&&s.origins.has(i.origin)?i.href:null}#m(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return w(t)?t:null}catch{return null}}#d(){v.forget(this),this.#e.clear(),this.#i&&B(this.#i),this.#s?.remove(),this.#n?.frame.remove(),this.#s=this.#n=null,this.#y("inline"),this.#i?.close(),this.#i=null,this.#t.setWaiting(!1),this.#t.setProgress(null),this.#t.setQuestionsOff(!1)}#u(){this.#n||(this.#o=this.#T());let t={context:this.#n?{}:this.#o,origin:location.origin},e=this.#r??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#m(),...t}}async#g(t){let{leaky:e}=t,i=e?.do==="refuse";if(i||this.#c(t),!e)return;let n=this.#i,o=await(i?Wt:ze)(e.probe,this.#t.stage);!n||n!==this.#i||(o&&n.send({event:"leaky",refused:i}),i&&(o?this.#b("leaky",Tn):this.#c(t)))}#c(t){let e=this.#i;if(!e)return;this.#r=t.ticket??this.#r,this.#n&&(this.#o=this.#n.context??this.#T());let i=this.#p(t);this.#t.describe(t,i?.height),this.#s=new kt(t,e,{shown:()=>this.#k("ready"),resized:({height:n})=>n===void 0||this.#t.setHeight(n),ended:(n,o)=>this.#b(n,o),escaped:()=>this.#e.isOpen||this.#y("inline"),act:n=>this.#f(n),context:()=>this.#o},i?.frame),i?i.handOver(this.#s):this.#s.frame.start(this.#t.stage)}#p(t){let e=this.#n;return this.#n=null,e?.fits(t)?e:(e?.frame.remove(),null)}#f(t){if(t.ask!==void 0){let e=t.question?.over==="page";this.#i?.ask(e?E():this.#e,t.ask,t.question)}else t.unask!==void 0?(this.#e.unask(t.unask),E().unask(t.unask)):t.do==="open-link"?this.#x(t.url):t.do==="display-mode"?this.#v(t.mode,!0):t.do==="questions"?this.#t.setQuestionsOff(t.off===!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?pe(t.files,()=>this.#s?.report("error",{message:"download"})):t.do==="remove"&&(this.#d(),this.#k("closed"))}async#x(t){let e=ot(t);if(!e)return;let i=navigator.userActivation?.isActive??!0,n={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(i||await this.#e.ask(e,n))&&rt(e)}#v(t,e=!1){v.when(this,"mode",()=>{let i=t==="fullscreen"&&!(e&&O.isWriting);this.#y(i?"fullscreen":"inline")})}#y(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#s?.frame.focus(),this.#S()),this.#s?.report("display-mode",{mode:t})}#b(t,e){this.error={code:t,message:e},this.#d(),this.#k("error")}#k(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#T(){return Ot(this,{displayMode:this.displayMode,...this.#t.room()})}#E(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#S()},Sn)}#S(){this.#t.setTheme(H(this));let t=this.#T(),e=ni(this.#o,t);this.#o=t,!(!this.#s||Object.keys(e).length===0)&&(e.theme&&this.#s.frame.setTheme(t.theme),this.#s.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",ae);var bi="mcp:",xi=(s,t,e=t)=>new Promise((i,n)=>{let o=()=>new Promise(r=>(t.addEventListener("abort",r),i()));navigator.locks.request(bi+s,{signal:e},o).catch(n)}),yi=(s,t,e)=>{navigator.locks.request(bi+s,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var _t=class extends J{constructor(t=self,e){super(e),this.target=t.port??t;let i=(n,o)=>this.target.addEventListener(n,o,this.over);i("message",({data:n})=>this.take(n)),i("close",()=>this.ended()),t.addEventListener("error",({message:n})=>n||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});xi(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):yi(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var vi="notifications/initialized",qt=class{#t=new Map;#e=0;#i=null;#s=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:i,params:n}=t;if(i===vi&&this.#s||(i===vi&&(this.#s=!0),i==="initialize"&&this.#n(e)))return;if(i==="notifications/cancelled")return this.#r(t);if(!i||e===void 0)return this.toServer(t);let o=++this.#e,r=n?._meta?.progressToken;this.#t.set(o,{id:e,token:r,isGreeting:i==="initialize"});let a=r===void 0?n:{...n,_meta:{...n._meta,progressToken:o}};this.toServer({...t,id:o,...a?{params:a}:{}})}#n(t){this.#i&&this.toHost({...this.#i,id:t});let e=[...this.#t.values()].find(({isGreeting:i})=>i);return e&&(e.id=t),this.#i!==null||e!==void 0}#r(t){let[e]=[...this.#t].find(([,{id:i}])=>i===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let i=this.#t.get(t.params?.progressToken);return i&&this.toHost({...t,params:{...t.params,progressToken:i.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#i=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let i={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:i})}}};var oa=s=>new he(s),he=class extends EventTarget{state="connecting";error=null;#t=null;#e=!1;#i;#s=[];#n=new AbortController;constructor({ticket:t,transport:e,base:i=x}){super(),this.transport="onMessage"in e?e:new _t(e),this.base=new URL(i.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#i=new qt(n=>this.#h(n),n=>this.#l(n)),this.#s=[this.transport.onMessage(n=>this.#i.fromServer(n)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#w,this.#n),addEventListener("focus",this.#w,this.#n),this.#r()}close(){this.#m("closed",null)}async#r(){this.#e=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#m("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=L(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#e=!0,this.error=null,this.#d("offered")},frame:e=>this.#a(e),failed:(e,i)=>this.#o(e,i)}))}#o(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#d("connecting");let i=this.#e;if(this.#t?.close(),this.#t=null,this.#i.forget(),t!=="gone"||!i)return this.#m("error",{code:t,message:e});this.#d("connecting"),this.#r()}#a(t){t.bytes?this.#i.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#i.fromHost(t.message):t.ask!==void 0?this.#t?.ask(E(),t.ask,t.question):t.unask!==void 0&&E().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#i.fromServer(ki(t.id,`${e}`))}}#l(t){!this.#e||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:ki(t.id,"The answer is longer than the host takes")})}#w=()=>{!document.hidden&&this.#e&&this.#t?.send({event:"visible"})};#m(t,e){if(!(this.state==="closed"||this.state==="error")){for(let i of this.#s.splice(0))i();this.#n.abort(),this.#i.forget(),this.#t&&B(this.#t),this.#t?.close(),this.#t=null,this.error=e,this.#d(t)}}#d(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},ki=(s,t)=>({jsonrpc:"2.0",id:s,error:{code:-32603,message:t}});export{R as AppConnectionError,y as AppLoadError,nt as AppTimeoutError,ae as McpApp,Lt as McpAppPreload,he as OfferedServer,D as OriginNotAllowedError,kn as createAppChild,gn as createAppHost,oa as offerServer};
