function h(i,t={},...e){let s=document.createElement(i);for(let[n,o]of Object.entries(typeof t=="string"?{class:t}:t))n in s&&!n.includes("-")?Reflect.set(s,n,o):o!==""&&s.setAttribute(n,o);return s.append(...e.filter(n=>n!=null&&n!==!1)),s}function lt(i){if(i.assignedSlot)return i.assignedSlot;let t=i.getRootNode();return i.parentElement??(t instanceof ShadowRoot?t.host:null)}var ye="http://www.w3.org/2000/svg";function ct(i){let t=document.createElementNS(ye,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(ye,"path"),s={d:i,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[n,o]of Object.entries(s))e.setAttribute(n,o);return t.append(e),t}var Ds=700,Fs=100,Ps=100,dt=2,ut=class{#t=0;#s=0;#e=!1;#i=!1;#n="";#o=0;#r=new Set;#a;#h;constructor(t,e,s,n){this.shade=t,this.box=e,this.buttons=s,this.changed=n}start(){this.stop(),this.#n="",this.#i=!1,this.#c(),this.changed(!1),this.#l(),this.#f(),this.#p()}stop(){this.#e=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#o)}counts(t){return this.#u(),t.isTrusted&&this.#e}#l(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#c();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#d(),e),this.shade.addEventListener("keydown",n=>this.#m(n),e);for(let n of["pointerup","pointercancel","keyup"])addEventListener(n,()=>this.#w(),e);addEventListener("pointermove",n=>n.buttons===0&&this.#w(),e)}#f(){if(this.#r.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:Ps,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:n,target:o}=s;n?this.#r.delete(o):this.#r.add(o)}},t);for(let e of this.#b())this.#r.add(e),this.#h.observe(e)}#p(){this.#o=requestAnimationFrame(()=>{this.#u(),this.#p()})}#u(){let t=this.#b(),e=[this.box,...t].map($s).join(),s=e===this.#n;if(this.#n=e,!s||this.#i||!this.#x(t))return this.#c();let n=performance.now();this.#t+=Math.min(n-this.#s,Fs),this.#s=n,!this.#e&&this.#t>=Ds&&this.#g(!0)}#c(){this.#t=0,this.#s=performance.now(),this.#e&&this.#g(!1)}#g(t){this.#e=t,this.changed(t)}#d(){this.#u(),this.#e||(this.#i=!0)}#m(t){this.#u();let e=t.key==="Enter"||t.key===" ";this.#e&&!(e&&t.repeat)||(this.#i=!0,this.#c())}#w(){this.#i&&(this.#i=!1,this.#c())}#b(){return this.buttons.filter(t=>!t.hidden)}#x(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(js)&&t.every(s=>Us(s)&&(!this.#r.has(s)||zs(s)))}};function $s(i){let{x:t,y:e,width:s,height:n}=i.getBoundingClientRect();return`${t} ${e} ${s} ${n}`}function js(i){let{left:t,top:e,right:s,bottom:n,width:o}=i.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:l,height:u}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return o>0&&t>=r-1&&e>=a-1&&s<=r+l+1&&n<=a+u+1}function Us(i){let{left:t,top:e,right:s,bottom:n}=i.getBoundingClientRect(),[o,r]=[(t+s)/2,(e+n)/2],a=i.getRootNode();return[[o,r],[t+dt,r],[s-dt,r],[o,e+dt],[o,n-dt]].every(([u,p])=>a.elementFromPoint(u,p)===i)}function zs(i){for(let t=i;t;t=lt(t)){let{opacity:e,filter:s,transform:n}=getComputedStyle(t);if(e!=="1"||s!=="none"||n!=="none")return!0}return!1}var Wt=class{#t=new Set;#s=new Map;#e=new Map;constructor(){let t={capture:!0,passive:!0};addEventListener("pointerdown",({isTrusted:e,pointerId:s})=>e&&this.#i(s),t);for(let e of["pointerup","pointercancel"])addEventListener(e,({pointerId:s})=>this.#n(s),t);addEventListener("pointermove",({buttons:e,pointerId:s})=>e===0&&this.#n(s),t)}#i(t){this.begin(t),clearTimeout(this.#e.get(t)),this.#e.set(t,setTimeout(()=>this.#n(t),1e4))}#n(t){this.#e.has(t)&&(clearTimeout(this.#e.get(t)),this.#e.delete(t),setTimeout(()=>this.#e.has(t)||this.end(t)))}begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#s.values()].flatMap(s=>[...s.values()]);this.#s.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let n=this.#s.get(t)??new Map;n.delete(e),this.#s.set(t,n.set(e,s))}forget(t){this.#s.delete(t)}},Hs=globalThis,Ws=Symbol.for("cloche.calm"),O=Hs[Ws]??=new Wt;var Bt=29e5;function ve(i,t){let e=h("textarea",{rows:1,class:"lines code",placeholder:"base64",spellcheck:!1}),s=h("input",{type:"file","aria-label":`File for ${i.title??t.name}`});i.contentMediaType&&(s.accept=i.contentMediaType);let n=h("span",{class:"about",role:"status"});e.value=i.default??"",s.onchange=async()=>{let[r]=s.files??[];r&&(n.textContent=r.size>Bt?`${r.name} is larger than ${Bt/1e6} MB.`:`Reading ${r.name} \u2026`,!(r.size>Bt)&&(e.value=await Bs(r),n.textContent=`${r.name}, ${r.size} bytes`))},e.oninput=()=>n.textContent="";let o=A(e,i,t);return o.insertBefore(h("div","actions",s,n),e),{element:o,read:()=>{let r=e.value.replaceAll(/\s/g,"");if(r==="")return L(e,t);if(!/^[A-Za-z0-9+/_-]*={0,2}$/.test(r))throw new g("Choose a file, or write base64",e);return r},write:r=>e.value=r??""}}function Bs(i){return new Promise((t,e)=>{let s=new FileReader;s.onload=()=>t(String(s.result).split(",")[1]??""),s.onerror=()=>e(s.error),s.readAsDataURL(i)})}function ke(i,t,e){let s=h("input",{type:"file"});i.contentMediaType&&(s.accept=i.contentMediaType);let n=h("span",{class:"about",role:"status"}),o="",r=d=>n.textContent=d;s.onchange=()=>{let[d]=s.files??[];o=d?e(d):"",r(d?`${d.size.toLocaleString("en")} bytes. It stays on this device.`:"")};let a=async d=>{r("Taking a picture \u2026");try{let c=await d();o=e(c),s.value="",r(`${c.name}, ${c.size.toLocaleString("en")} bytes. It stays on this device.`)}catch(c){r(String(c?.message??c))}},{takePicture:l}=e,u=l&&/^image\//.test(i.contentMediaType),p=A(s,i,t);if(s.after(n),u){let d=h("button",{type:"button",onclick:()=>a(l)},"Take a picture");s.after(h("div","actions",d))}return{element:p,read:()=>o||L(s,t),write:d=>{o=d??"",o||(s.value=""),r(o.slice(o.lastIndexOf("/")+1))}}}function N(i,t,e=0){let s=typeof i?.$ref=="string"&&i.$ref.startsWith("#/")?i.$ref.slice(2).split("/"):null;if(!s||e>20)return i??{};let n=t;for(let a of s){let l=decodeURIComponent(a).replaceAll("~1","/").replaceAll("~0","~");n=Object.hasOwn(n??{},l)?n[l]:void 0}let{$ref:o,...r}=i;return{...N(n??{},t,e+1),...r}}function Ee(i,t){let e=Array.isArray(i.type)?i.type.map(n=>({...i,type:n})):[];return(i.anyOf??i.oneOf??e).map(n=>N(n,t)).filter(n=>n.type!=="null")}function Q(i,t){let e=n=>typeof n=="string"?n:JSON.stringify(n);if(Array.isArray(i.enum)){let n=i.enumNames?.length===i.enum.length?i.enumNames:[];return i.enum.map((o,r)=>({value:o,title:String(n[r]??e(o))}))}let s=(i.oneOf??i.anyOf??[]).map(n=>N(n,t));return s.length===0||!s.every(n=>"const"in n)?null:s.map(n=>({value:n.const,title:String(n.title??e(n.const))}))}function Te(i){let t=["title","description","default","examples"].filter(e=>i[e]!==void 0);return Object.fromEntries(t.map(e=>[e,i[e]]))}function Z(i){if(typeof i.type=="string")return i.type;if(i.properties)return"object";if(i.items)return"array"}function Vs(i){let[,t]=i.split(/\bExamples?:/i,2),[e,s]=(t??"").trimStart().split(/[\n;]/,2),n=e.trimEnd(),o=s===void 0&&n.endsWith(".")?n.slice(0,-1):n;return/^[`"']?([^`"']+)[`"']?$/.exec(o.trimEnd())?.[1].trim()??""}function z(i){let[t]=Array.isArray(i.examples)?i.examples:[];return t!==void 0?typeof t=="string"?t:JSON.stringify(t):Vs(String(i.description??""))}function Se(i,t){try{return new RegExp(i,"u").test(t)}catch{return!0}}var Ks=200,Js=100,Gs=0;function Oe(i,t){let e=`suggestions-${++Gs}`,s=h("datalist",{id:e}),n=h("input",{type:"text",autocomplete:"off"});n.setAttribute("list",e);let o,r=0,a=async()=>{let u=++r,p=await t(i,n.value).catch(()=>[]);u===r&&s.replaceChildren(...p.slice(0,Js).map(d=>new Option(d,d))),s.isConnected||n.after(s)},l=()=>{clearTimeout(o),o=setTimeout(a,Ks)};return n.addEventListener("input",l),n.addEventListener("focus",l),n}var g=class extends Error{constructor(t,e){super(t),this.element=e}};function tt(i){if(i.draft)return i.draft();try{return i.read()}catch{return}}var Ae={date:"date",time:"time","date-time":"datetime-local",email:"email",uri:"url",color:"color",password:"password"},Ys={email:"Enter an e-mail address",url:"Enter a whole address, such as https://example.com"},Vt=0;function et(i,t){let e=N(i,t.root);if("const"in e)return _e(e);if(Q(e,t.root))return Me(e,t);let s=Ee(e,t.root);if(s.length===1)return et({...s[0],...Te(e)},t);if(s.length>1)return ni(e,s,t);let n=String(Z(e));return Object.hasOwn(Ie,n)?Ie[n](e,t):st(e,I(e,t.name))}var Ie={boolean:ti,integer:Le,number:Le,string:Ce,array:si,object:(i,t)=>i.properties?pt(i,t):ii(i,t),null:()=>_e({const:null})},I=(i,t)=>String(i.title??t),Ne=i=>"default"in i?i.default??"":z(i);function A(i,t,{name:e,required:s}){let n=i.id=`field-${++Vt}`;s&&(i.required=!0);let o=h("label",{htmlFor:n},I(t,e));s&&o.append(" ",h("span","required","required"));let r=t.description&&h("span",{id:`${n}-about`,class:"about"},t.description),a=h("span",{id:`${n}-problem`,class:"problem",role:"alert"});return i.setAttribute("aria-describedby",(r?r.id+" ":"")+a.id),h("div","field",o,i,r,a)}function Ce(i,t){if(i.format==="picked-file"&&t.pick)return ke(i,t,t.pick);if(i.contentEncoding==="base64"||i.format==="byte")return ve(i,t);let e=Object.hasOwn(Ae,i.format)?Ae[i.format]:void 0,s=/time/.test(e??"")?"1":"",n=t.suggest?Oe(t.name,t.suggest):e?h("input",{type:e,step:s,...e==="password"&&{autocomplete:"off"}}):Xs();return n.placeholder=z(i),n.value=Re(Ne(i),e),{element:A(n,i,t),read:()=>{let o=n.value;if(o==="")return L(n,t);if(n.validity.typeMismatch)throw new g(Ys[n.type]??"This does not fit",n);return Qs(o,i,n),e==="datetime-local"?Zs(o):o},write:o=>n.value=o==null?"":Re(o,e)}}function Xs(){let i=h("textarea",{rows:1,class:"lines",title:"Shift+Enter starts a new line"});return i.addEventListener("keydown",t=>{t.key!=="Enter"||t.shiftKey||t.isComposing||(t.preventDefault(),!t.ctrlKey&&!t.metaKey&&i.form?.requestSubmit())}),i}function Qs(i,{minLength:t,maxLength:e,pattern:s},n){let o=[...i].length;if(t!==void 0&&o<t)throw new g(`At least ${t} characters`,n);if(e!==void 0&&o>e)throw new g(`At most ${e} characters`,n);if(s!==void 0&&!Se(s,i))throw new g(`Must match ${s}`,n)}function Zs(i){let t=-new Date(i).getTimezoneOffset(),e=s=>String(Math.floor(Math.abs(s))).padStart(2,"0");return`${i}${i.length===16?":00":""}${t<0?"-":"+"}${e(t/60)}:${e(t%60)}`}function Re(i,t){let e=typeof i=="string"?i:JSON.stringify(i);return t==="datetime-local"?e.replace(/(?:Z|[+-]\d\d:\d\d)$/,""):e}function L(i,t){if(t.required)throw new g("Required",i)}function Le(i,t){let e=i.type==="integer",{minimum:s="",maximum:n=""}=i,o=h("input",{type:"number",step:e?"1":"any",min:s,max:n});return o.placeholder=z(i),o.value=Ne(i),{element:A(o,i,t),read:()=>{if(o.validity.badInput)throw new g("Enter a number",o);if(o.value==="")return L(o,t);let r=Number(o.value);if(e&&!Number.isInteger(r))throw new g("Enter a whole number",o);if(r<(i.minimum??-1/0))throw new g(`At least ${i.minimum}`,o);if(r>(i.maximum??1/0))throw new g(`At most ${i.maximum}`,o);return r},write:r=>o.value=r??""}}function ti(i,t){if(!t.required&&i.default===void 0)return Me({...i,enum:[!0,!1]},t);let e=h("input",{type:"checkbox",checked:i.default===!0}),s=A(e,i,{...t,required:!1});return s.classList.add("check"),{element:s,read:()=>e.checked,write:n=>e.checked=n===!0}}function Me(i,t){let e=Q(i,t.root)??[],s=h("select",{},(!t.required||i.default===void 0)&&new Option("\u2013",""));e.forEach(({title:o},r)=>s.append(new Option(o,String(r))));let n=o=>{let r=e.findIndex(a=>JSON.stringify(a.value)===JSON.stringify(o));s.value=r<0?"":String(r)};return n(i.default),{element:A(s,i,t),read:()=>s.value===""?L(s,t):e[Number(s.value)].value,write:n}}function ei(i,t){let e=Q(N(i.items,t.root),t.root)??[],s=e.map(({title:f})=>{let m=h("input",{type:"checkbox",id:`field-${++Vt}`});return{box:m,element:h("div","field check",h("label",{htmlFor:m.id},f),m)}}),n=`field-${++Vt}`,o=h("span",{id:`${n}-problem`,class:"problem",role:"alert"}),r=t.required&&h("span","required","required"),a=h("legend",{},I(i,t.name)," ",r),l=i.description&&h("span","about",i.description),u={id:n,class:"several",tabIndex:-1,"aria-describedby":o.id},p=h("fieldset",u,a,l,...s.map(f=>f.element),o),d=f=>s.forEach(({box:m},y)=>m.checked=Array.isArray(f)&&f.includes(e[y].value));return d(i.default),{element:p,read:()=>{let f=e.filter((R,X)=>s[X].box.checked).map(R=>R.value);if(f.length===0&&!t.required)return;let{minItems:m=0,maxItems:y=1/0}=i;if(f.length<m)throw new g(`Choose at least ${m}`,p);if(f.length>y)throw new g(`Choose at most ${y}`,p);return f},write:d}}var _e=i=>({element:h("div",{hidden:!0}),read:()=>i.const,write:()=>{}});function Jt(i,t){let e=h("div"),s=t&&h("legend",{},I(i,t)),n=t&&i.description&&h("span","about",i.description);return[h("fieldset",{},s,n,e),e]}function pt(i,t){let[e,s]=Jt(i,t.name),n=new Map,o=()=>{for(let[c,f]of Object.entries(i.properties??{})){let m=(i.required??[]).includes(c),{root:y,depth:R,suggest:X,pick:qs}=t,xe=et(f,{root:y,depth:R+1,name:c,required:m,suggest:X,pick:qs});n.set(c,xe),s.append(xe.element)}},r=!t.required&&t.name!==""&&(i.required??[]).length>0,a=t.depth>2||r,l=I(i,t.name),u=()=>{n.clear(),s.replaceChildren(ft(`Add ${l}`,p))},p=()=>{s.replaceChildren(),o(),s.append(ft(`Remove ${l}`,u)),qe(s)};a?u():o();let d=c=>{let f=[...n].map(([R,X])=>[R,c(X)]),m=Object.fromEntries(f.filter(([,R])=>R!==void 0));return Object.keys(m).length===0&&!t.required&&t.name?void 0:m};return{element:e,read:()=>d(c=>c.read()),draft:()=>d(tt),find:c=>n.get(c)?.element.querySelector("input, select, textarea, fieldset[id]")??null,write:c=>{a&&c&&!n.size?p():a&&!c&&u();for(let[f,m]of n)m.write(Object.hasOwn(c??{},f)?c[f]:void 0)}}}var ft=(i,t,e=i)=>h("button",{type:"button",onclick:t,"aria-label":e},i),qe=i=>i.querySelector("input, select, textarea, button")?.focus();function De(i,t,e){let s=I(i,t.name),[n,o]=Jt(i,t.name),r=new Map,a=()=>{let c=e(r.size+1),f=()=>(r.delete(m),m.remove(),l.focus()),m=h("div","row",c.element,ft("\u2715",f,`Remove from ${s}`));return r.set(m,c),o.append(m),c},l=ft("Add",()=>qe(a().element),`Add to ${s}`);return n.append(l),{element:n,read:()=>{let c=[...r.values()].map(f=>f.read());if(c.length<(i.minItems??0))throw new g(`At least ${i.minItems}`,n);return c.length||t.required?c:void 0},write:c=>{r.clear(),o.replaceChildren();for(let f of c)a().write(f)},draft:()=>{let c=[...r.values()].map(tt).filter(f=>f!==void 0);return c.length?c:void 0}}}function si(i,t){if(Q(N(i.items,t.root),t.root))return ei(i,t);let e=I(i,t.name);if(Z(N(i.items??{},t.root))==="array"||i.prefixItems)return st(i,e,t);let n=De(i,t,r=>et(i.items??{},Kt(t,`${e} ${r}`))),o=r=>n.write(Array.isArray(r)?r:[]);return o(i.default),{...n,write:o}}var Kt=({root:i,depth:t,pick:e},s)=>({root:i,depth:t+1,name:s,required:!0,pick:e});function ii(i,t){let e=i.additionalProperties;if(e===!1)return pt({...i,properties:{}},t);if(typeof e!="object")return st(i,I(i,t.name),t);let s=De({...i,minItems:0},t,()=>{let a=Ce({title:"Key"},Kt(t,"Key")),l=et(e,Kt(t,"Value"));return{element:h("div","pair",a.element,l.element),read:()=>[a.read(),l.read()],write:([u,p])=>(a.write(u),l.write(p))}}),n=()=>{let a=s.read();return a&&Object.fromEntries(a)},o=()=>Object.fromEntries((s.draft?.()??[]).filter(a=>a?.[0])),r=a=>s.write(Object.entries(a??{}));return r(i.default),{...s,read:n,write:r,draft:o}}function ni(i,t,e){let[s,n]=Jt(i,e.name),o=t.map((d,c)=>new Option(d.title??Z(d)??`choice ${c+1}`,String(c))),r=h("select",{"aria-label":`Kind of ${I(i,e.name)}`},...o),a=t.map(d=>et(d,{...e,depth:e.depth+1})),l=()=>n.replaceChildren(a[Number(r.value)].element);r.addEventListener("change",l),s.insertBefore(r,n),l();let u=d=>{let c=t.findIndex(f=>oi(d,Z(f)));c>=0&&(r.value=String(c)),l(),a[Number(r.value)].write(d)};i.default!==void 0&&i.default!==null&&u(i.default);let p=()=>a[Number(r.value)];return{element:s,read:()=>p().read(),write:u,draft:()=>tt(p())}}function oi(i,t){return t==="array"?Array.isArray(i):t==="integer"?Number.isInteger(i):t==="object"?typeof i=="object"&&i!==null&&!Array.isArray(i):typeof i===t}function st(i,t,e){let s=h("textarea",{rows:2,spellcheck:!1,class:e?"code lines":"code tall"});return s.placeholder=z(i),s.value=i.default===void 0?z(i):JSON.stringify(i.default,null,2),{element:A(s,{...i,title:t},e??{root:i,depth:0,name:t}),read:()=>{if(!s.value.trim())return e?L(s,e):void 0;try{return JSON.parse(s.value)}catch(n){throw new g(`This is not JSON: ${n.message}`,s)}},write:n=>s.value=n===void 0?"":JSON.stringify(n,null,e?0:2)}}var mt=class{constructor(t,e,s){this.schema=t,this.body=pt(t,{root:t,depth:0,name:"",suggest:e,pick:s}),this.raw=st({},"Arguments as JSON"),this.raw.element.hidden=!0,this.element=h("div","fields",this.body.element,this.raw.element)}get isRaw(){return!this.raw.element.hidden}setRaw(t){if(t===this.isRaw)return;Fe(this.element);let e=t?tt(this.body)??{}:this.#t();this.raw.element.hidden=!t,this.body.element.hidden=t,this.write(e)}#t(){let t=this.read(),e=Object.keys(t).filter(o=>!Object.hasOwn(this.schema.properties??{},o));if(!e.length)return t;let s=this.raw.element.querySelector("textarea")??void 0,n=new g(`The form has no field for ${e.join(", ")}: remove it, or stay with JSON`,s);throw Gt(n),n}read(){Fe(this.element);try{let t=(this.isRaw?this.raw:this.body).read()??{};if(typeof t!="object"||Array.isArray(t))throw new g("Arguments must be one JSON object");return t}catch(t){throw t instanceof g&&Gt(t),t}}refuse(t,e){let s=this.isRaw?null:this.body.find?.(t);return s&&Gt(new g(e,s)),!!s}write(t){(this.isRaw?this.raw:this.body).write(t)}};function Fe(i){for(let t of i.querySelectorAll(".problem"))t.textContent="";for(let t of i.querySelectorAll("[aria-invalid]"))t.removeAttribute("aria-invalid")}function Gt({element:i,message:t}){if(!i)return;i.setAttribute("aria-invalid","true");let s=i.getRootNode().getElementById(`${i.id}-problem`);s&&(s.textContent=t),i.focus()}function gt(i){let t=typeof i=="string"&&URL.canParse(i)?new URL(i):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function wt(i){globalThis.open(i.href,"_blank","noopener,noreferrer")}var ri=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Pe=120;function ai(i){let s=(String(i??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),n=/\.[^.]{1,16}$/.exec(s)?.[0]??"",o=s.length>Pe?s.slice(0,Pe-n.length).trimEnd()+n:s;return!o||ri.test(o)?`download${o&&"-"}${o}`:o}function $e(i,t){for(let e of i){let s=hi(e);s?li(s,ai(e.name)):t?.(e)}}function hi({text:i,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof i=="string")return new Blob([i],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),n=>n.charCodeAt(0))],{type:s})}catch{return null}}function li(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var ci=0,H=class{#t=[];#s;#e;#i=!1;#n=null;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let n=`cloche-question-${++ci}`;this.title=h("h2",{id:`${n}-title`}),this.text=h("p",{id:`${n}-text`}),this.details=h("pre",{tabIndex:0}),this.form=h("form",{class:"form",noValidate:!0}),this.problem=h("p",{class:"danger",role:"alert"}),this.time=h("span",{class:"time",role:"timer"}),this.refuse=h("button",{class:"refuse",onclick:()=>this.#m(!1)}),this.lasting=h("button","lasting"),this.accept=h("button","accept main");let o=h("div","row",this.time,h("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=h("div",a,this.title,this.text,this.details,this.problem,this.form,o),this.shade=h("div",{class:"shade",hidden:!0},this.box),this.#o=new ut(this.shade,this.box,[this.lasting,this.accept],l=>this.#f(l)),this.accept.addEventListener("click",l=>this.#o.counts(l)&&this.#h()),this.form.addEventListener("submit",l=>{l.preventDefault(),this.#o.counts(l)&&this.#h()}),this.form.addEventListener("input",()=>this.#l()),this.lasting.addEventListener("click",l=>this.#o.counts(l)&&this.#m("page")),this.shade.addEventListener("keydown",l=>this.#g(l)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(n=>{this.#t.push({key:t,question:e,resolve:n,seen:s}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);if(e===0)this.dismiss();else if(e>0){let[{question:s,resolve:n}]=this.#t.splice(e,1);n(Yt(s))}}clear(){for(let{question:t,resolve:e}of this.#t.splice(1))e(Yt(t));this.dismiss()}dismiss(){this.#t.length>0&&this.#m(Yt(this.#t[0].question))}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=pi(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.problem.textContent=t.problem??"",this.problem.hidden=!t.problem,this.#a(t),this.#e=void 0,this.shade.hidden=!1,O.begin(this),this.#u(),this.#o.start(),clearInterval(this.#s),this.#s=setInterval(()=>this.#p(),250),this.#p()}#a({form:t,values:e}){this.#n=t?new mt(t):null,this.#n&&e&&this.#n.write(e),this.form.replaceChildren(...this.#n?[this.#n.element]:[]),this.form.hidden=!t}#h(){let{question:t}=this.#t[0];if(this.#n){try{this.#m({content:this.#n.read()})}catch(s){if(!(s instanceof g))throw s}return}let e=t.link?gt(t.link):null;e&&wt(e),this.#m(!0)}#l(){let t=this.#t[0];if(!t||this.#e===void 0)return;let e=performance.now()+Xt(t.question)*1e3;e-this.#e<di||(this.#e=e,t.seen())}#f(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#e!==void 0||(this.#e=performance.now()+Xt(e.question)*1e3,e.seen())}#p(){if(this.#t.length===0)return;let t=Xt(this.#t[0].question),e=this.#e===void 0?t:(this.#e-performance.now())/1e3;if(e<=0)return this.#m(null);let s=je(this.#t[0].question)?"cancels":"means no";this.time.textContent=`No answer ${s}: ${String(Math.ceil(e)).padStart(String(t).length,fi)} s`}#u(){let t=this.#c(),e=t.activeElement!==null;this.#i||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#c(){return this.panel.getRootNode()}#g(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.dismiss()):t.key==="Tab"&&this.#d(t)}#d(t){let e=[...this.form.querySelectorAll("input, select, textarea, button")].map(ui),s=[this.details,...e,this.refuse,this.lasting,this.accept].filter(a=>!a.closest("[hidden]")),n=this.#c(),o=s.findIndex(a=>a===n.activeElement),r=o<0?t.shiftKey?s.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),s[(r+s.length)%s.length].focus()}#m(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#w(),e?.resolve(t)}#w(){clearInterval(this.#s),this.#o.stop();let t=this.#c(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#i&&this.giveBack(),this.#i=!1,O.end(this)}},di=5e3,ui=i=>i,je=({form:i,link:t})=>i!==void 0||t!==void 0,Yt=i=>je(i)?"cancel":!1,fi="\u2007",Xt=i=>i.seconds??30;function pi(i){if(i==null)return"";if(typeof i!="object")return String(i);let t=Object.entries(i).map(([e,s])=>[e,mi(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}var mi=i=>typeof i=="string"?i:JSON.stringify(i)??"";var Ue=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var bt=Object.fromEntries(Ue.split(`
`).filter(i=>i.startsWith("  --")).map(i=>i.slice(2,-1).split(": ")));var ze=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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

.server {
  border: var(--border-width-regular) solid var(--color-border-primary);
  border-radius: var(--border-radius-lg);
  overflow: clip;
  color: var(--color-text-primary);
  font: var(--font-text-md-size)/var(--font-text-md-line-height) var(--font-sans);
}
.server > p {
  margin: 0;
  padding: 4px 12px;
  overflow-wrap: anywhere;
  font-size: var(--font-text-xs-size);
  line-height: var(--font-text-xs-line-height);
}
.server > p:not(.danger) {
  color: var(--color-text-secondary);
}
.server > iframe {
  display: block;
  width: 100%;
  height: var(--height, 240px);
  border: 0;
}
.copilot {
  display: flex;
  flex-direction: column;
  box-sizing: border-box;
  height: 100%;
}
.copilot > iframe {
  flex: 1;
  height: auto;
  min-height: var(--height, 240px);
}
.copilot > iframe[hidden] {
  display: none;
}
.setup {
  box-sizing: border-box;
  width: min(100vw - 24px, 560px);
  height: min(100dvh - 24px, 640px);
  padding: 0;
  overflow: clip;
  border: var(--border-width-regular) solid var(--color-border-primary);
  border-radius: var(--border-radius-lg);
  background: var(--color-background-primary);
  color: var(--color-text-primary);
  font: var(--font-text-md-size)/var(--font-text-md-line-height) var(--font-sans);
}
.setup[open] {
  display: flex;
  flex-direction: column;
}
.setup::backdrop {
  background: color-mix(in srgb, var(--color-background-tertiary) 75%, transparent);
}
.setup > iframe {
  flex: 1;
  width: 100%;
  border: 0;
}
`;var xt;function W(){return xt||(xt=new CSSStyleSheet,xt.replaceSync(ze.replaceAll(/var\((--[\w-]+)\)/g,(i,t)=>`var(${t}, ${bt[t]})`))),xt}var bi=300;function B(i){let t=i.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(i).colorScheme,s=document.querySelector("meta[name=color-scheme]"),n=(e==="normal"?s?.content??"":e).split(" "),[o,r]=[n.includes("light"),n.includes("dark")];return o&&r?He().matches?"dark":"light":o||r?r?"dark":"light":yi(xi(i))?"dark":"light"}var He=()=>matchMedia("(prefers-color-scheme: dark)");function xi(i){for(let t=i;t;t=lt(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function yi(i){let[t,e]=i.split("("),[s,n,o]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*n+.114*o)/r<.5}function vi(i){let t=getComputedStyle(i);return Object.fromEntries(Object.entries(bt).map(([e,s])=>{let n=t.getPropertyValue(e).trim();return[e,n&&n.length<=bi?n:s]}))}function yt(i,{displayMode:t,width:e,height:s}){return{theme:B(i),styles:{variables:vi(i)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:i.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function We(i,t){let e=Object.entries(t).filter(([s,n])=>JSON.stringify(n)!==JSON.stringify(i[s]));return Object.fromEntries(e)}function vt(i){let t=new MutationObserver(i);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=He();return e.addEventListener("change",i),()=>{t.disconnect(),e.removeEventListener("change",i)}}var Qt=class{stopWatching=()=>{};#t=new Map;constructor(){this.host=h("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[W()],this.panel=h("dialog","over");let e=h("div");t.append(this.panel),this.dialog=new H(this.panel,e,()=>{});for(let s of["role","aria-modal","aria-labelledby","aria-describedby"])this.panel.setAttribute(s,this.dialog.box.getAttribute(s)??""),this.dialog.box.removeAttribute(s);this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.dismiss()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}ask(t,e,s=()=>{},n={}){let o=this.#t.get(t),r=o?.seen??new Map;if(r.set(n,s),o)return o.said;let a=this.#s(t,e,()=>r.forEach(l=>l()));return this.#t.set(t,{said:a,seen:r}),a}async#s(t,e,s){this.host.isConnected||document.body.append(this.host);let n=this.dialog.ask(t,e,s);this.panel.open||(this.#e(),this.stopWatching=vt(()=>this.#e()),this.panel.showModal(),this.dialog.box.focus());let o=await n;return this.#t.delete(t),this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),o}unask(t){this.dialog.unask(t)}forget(t){for(let[e,{seen:s}]of[...this.#t])s.delete(t)&&s.size===0&&this.unask(e)}#e(){this.panel.style.colorScheme=B(document.body)}},Be,b=()=>Be??=new Qt,E=i=>Be?.forget(i);var kt=class{#t=null;#s=[];#e=0;#i=0;#n=0;#o=!1;#r=!1;#a;#h=[];constructor(t,e,s,n){this.socket=t,this.view=e,this.opening=s,this.handlers=n}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#i})}else this.#s=[],this.#e=this.#i=this.#n=0,this.#o=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#o=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#e;return this.#s.push({n:s,frame:t}),this.#s.length>2e3?this.#w("overflow","The host did not answer for too long."):this.#o&&this.socket.send({...t,view:this.view,n:s}),!0}pass(t){this.send({message:t})||t.method||this.send({message:it(t.id,"The answer is longer than the host takes")})}async ask(t,e,s){let n=o=>this.#r||this.send({answer:e,value:o});n(await t.ask(e,s,()=>n("seen"),this))}close(){this.#r||(this.#r=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#r||(t.mount?this.#l(t.mount):t.error?this.#w(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#f(t.resumed):t.got!==void 0?this.#p(t.got):t.n===this.#i+1&&this.#u(t))}#l(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#f(t){this.#p(t),this.#o=!0,this.handlers.waiting?.(!1);for(let e of this.#s)this.socket.send({...e.frame,view:this.view,n:e.n})}#p(t){let e=this.#s.findIndex(s=>s.n>t);this.#s.splice(0,e<0?this.#s.length:e)}#u(t){if(this.#i=t.n,this.#i-this.#n>=32?this.#c():this.#a??=setTimeout(()=>this.#c(),1e3),t.body===void 0)return this.#g(t);let e=this.#m(t.body);t.free?e.then(s=>this.#r||this.handlers.frame(s),()=>{}):this.#g(e)}#c(){clearTimeout(this.#a),this.#a=void 0,!(this.#r||!this.#o)&&(this.#n=this.#i,this.socket.send({view:this.view,got:this.#i}))}#g(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#d()}async#d(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#r)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#m(t){try{return{bytes:await Ve(new URL(t,this.socket.base).href)}}catch(e){throw this.#w("body",e instanceof Error?e.message:String(e)),e}}#w(t,e){this.#r||(this.close(),this.handlers.failed(t,e))}},it=(i,t)=>({jsonrpc:"2.0",id:i,error:{code:-32603,message:t}}),ki=4,Ei=500;async function Ve(i){for(let t=1;;t++){try{let e=await fetch(i,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=ki)throw e}await new Promise(e=>setTimeout(e,Ei*2**(t-1)))}}var Et=async i=>new TextDecoder().decode(await Ve(i));var w=new URL(".",import.meta.url).href,Ti="cloche.1",Si=250,Oi=1e4,Ai=1e3,Ke=new Map;function k(i){let t=Ke.get(i)??new Zt(i);return Ke.set(i,t),t}var Zt=class{#t=new Map;#s=0;#e=null;#i=0;#n;constructor(t){this.base=t;let e=()=>{this.#n!==void 0&&!document.hidden&&this.#r()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>{if(!s&&this.isOpen)for(let n of this.#t.keys())this.send({close:n})})}get isOpen(){return this.#e?.readyState===WebSocket.OPEN}open(t,e){let s=new kt(this,++this.#s,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#e&&this.#n===void 0&&this.#r(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#o(),Ai)}send(t){this.isOpen&&this.#e?.send(JSON.stringify(t))}#o(){clearTimeout(this.#n),this.#n=void 0;let t=this.#e;this.#e=null,t?.close(1e3)}#r(){clearTimeout(this.#n),this.#n=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Ti);this.#e=t,t.onopen=()=>{this.#i=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#e===t&&this.#a(e)}#a(t){if(this.#e=null,this.#t.size===0)return;this.#i+=1;for(let s of[...this.#t.values()])s.disconnected(this.#i,t.reason);let e=Math.min(Oi,Si*2**(this.#i-1));this.#n=setTimeout(()=>this.#r(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var Je=(i={},t={})=>({readOnlyHint:i.readOnlyHint===!0,untrustedContentHint:i.openWorldHint!==!1,consequentialHint:i.readOnlyHint!==!0&&(i.destructiveHint===!0||t.confirmRequired===!0)});var Ge=i=>Array.isArray(i)?i.map(t=>typeof t?.text=="string"?t.text:"").join(`
`).trim():"";function Ye({structuredContent:i,content:t,isError:e}={}){if(e)throw new Error(Ge(t)||"The tool failed");return i!==void 0?i:Array.isArray(t)&&t.every(n=>n?.type==="text")?Ge(t):t}var Xe=new URL("webmcp.js",w).href,Tt=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;#s=new Map;#e=new Map;#i=0;#n=Promise.resolve();connectedCallback(){this.style.display="none",this.#o()}disconnectedCallback(){this.#u("The page offers its tools no longer"),this.#c("idle")}attributeChangedCallback(){this.isConnected&&(this.#u("The page has another ticket"),this.#o())}get tools(){return[...this.#s.keys()]}#o(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#c("connecting");let e=!1,s=this.#t=k(w).open(()=>({agents:t}),{mounted:()=>{e=!0,this.#c("ready")},frame:n=>this.#r(s,n),failed:(n,o)=>{if(n!=="unreachable"){if(this.#u(o),n==="gone"&&e)return this.#o();this.#p(n,o)}}})}#r(t,e){e.ask!==void 0?t.ask(b(),e.ask,e.question):e.unask!==void 0?b().unask(e.unask):e.bytes?this.#f(JSON.parse(new TextDecoder().decode(e.bytes))):e.message?this.#f(e.message):e.do==="tools"&&(this.#n=this.#n.then(()=>this.#a(t,e.tools)))}async#a(t,e){if("modelContext"in document||await Ii(),this.#t!==t)return;let s=document.modelContext;if(!s)return this.#p("insecure",`This page has no document.modelContext: serve it by https, and let ${Xe} load`);let n=new Map(e.map(({name:o,version:r})=>[o,r]));for(let[o,{version:r,over:a}]of[...this.#s])n.get(o)!==r&&(this.#s.delete(o),a.abort());for(let o of e)this.#s.has(o.name)||await this.#h(s,o);this.dispatchEvent(new Event("toolschange"))}async#h(t,{annotations:e,version:s,...n}){let o=new AbortController,r=(a,l)=>this.#l({name:n.name,arguments:a,version:s},l?.signal);this.#s.set(n.name,{version:s,over:o});try{await t.registerTool({...n,annotations:Je(e),execute:r},{signal:o.signal})}catch(a){this.#s.get(n.name)?.over===o&&this.#s.delete(n.name),o.signal.aborted||console.warn(`The tool ${n.name} is not offered to agents: ${a}`)}}async#l(t,e){let s=++this.#i,n=await new Promise((o,r)=>{if(e?.throwIfAborted(),!this.#t?.send({message:{jsonrpc:"2.0",id:s,method:"tools/call",params:t}}))throw new Error(this.#t?"The arguments are longer than the host takes":"The page offers it no longer");this.#e.set(s,{resolve:o,reject:r}),e?.addEventListener("abort",()=>{if(!this.#e.delete(s))return;r(e.reason);let a={jsonrpc:"2.0",method:"notifications/cancelled",params:{requestId:s}};this.#t?.send({message:a})})});return Ye(n)}#f({id:t,result:e,error:s}){let n=this.#e.get(t);this.#e.delete(t),s?n?.reject(new Error(String(s.message))):n?.resolve(e)}#p(t,e){this.#u(e),this.error={code:t,message:e},this.#c("error")}#u(t){for(let{over:e}of this.#s.values())e.abort();this.#s.clear();for(let{reject:e}of this.#e.values())e(new Error(t));this.#e.clear(),this.#t&&E(this.#t),this.#t?.close(),this.#t=null}#c(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}},Ii=()=>new Promise(i=>document.head.append(h("script",{src:Xe,onload:i,onerror:i})));customElements.get("mcp-tools")||customElements.define("mcp-tools",Tt);var Ri,Qe=()=>Ri??=import(new URL("frames.js",w).href),St=class{#t=null;#s=null;#e=0;constructor(t,e){this.url=t,this.around=e}get isConnected(){return this.#t?.isConnected===!0}async setUp(t){let{setupFrame:e,showSetup:s,notice:n,allow:o}=this.around;if(!e)throw new Error("There is no setup");let r=this.#i(),{IframeWindowControl:a,OuterFrameTransport:l,Logger:u}=await Qe();if(r!==this.#e)return null;let p=this.#s=new a({iframe:e,setVisible:s}),d=this.#t=new l(p,{url:this.url,sessionId:t?.sessionId,onPermissionRequest:o,logger:new u("OUTER","setup",()=>{})});try{let{ephemeralMessage:c,...f}=await d.setup();return r!==this.#e?null:(n(c??""),f)}catch(c){if(r!==this.#e)return null;throw c}finally{r===this.#e&&this.close()}}cancel(){this.#t?.cancel()}async connect(t){let{frame:e,show:s,message:n,lost:o,notice:r,returned:a}=this.around,l=this.#i(),{IframeWindowControl:u,OuterFrameTransport:p,Logger:d}=await Qe();if(l!==this.#e)return!1;let c=this.#s=new u({iframe:e,setVisible:s}),f=this.#t=new p(c,{url:this.url,sessionId:t.sessionId,transportVisibility:t.transportVisibility,permissions:t.permissions,onSetupRequired:({canContinue:m,message:y})=>m&&l===this.#e&&r(y),logger:new d("OUTER","transport",()=>{})});f.onMessage(m=>l===this.#e&&n(m));try{await f.prepareToConnect()}catch(m){if(l!==this.#e)return!1;throw this.close(),m}return f.onClose(()=>{if(l!==this.#e)return;let{code:m="WINDOW_GONE",message:y="The server's page was reloaded, left or closed"}=f.error??{};a||this.close(),o({code:m,message:y})}),f.onStateChange=()=>queueMicrotask(()=>f.state==="reloaded"&&l===this.#e&&a?.()),l===this.#e}async takeUp(){let t=this.#e;try{await this.#t?.prepareToConnect()}catch(e){if(t!==this.#e)return!1;throw this.close(),e}return t===this.#e}send(t){if(!this.#t)throw new Error("The page is not connected to the server");this.#t.send(t)}setVisible(t){this.#t?.setVisible(t)}close(){this.#i()}#i(){let t=++this.#e,[e,s]=[this.#t,this.#s];return this.#t=this.#s=null,e?.close(),s?.setVisible(!1),s?.destroy(),t}};var V=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;channel=null;framed=null;titled=h("strong");origin=h("span");status=h("p",{role:"status"});frame=h("iframe",{hidden:!0});root=this.attachShadow({mode:"open"});constructor(t,e){super(),this.frame.title=t,this.root.adoptedStyleSheets=[W()];let s=h("div","bar",h("div","origin whose",this.titled,this.origin),...e);this.root.append(h("div","server",s,this.status,this.frame))}connectedCallback(){this.open()}disconnectedCallback(){this.close(),this.become("idle")}attributeChangedCallback(){this.isConnected&&(this.close(),this.open())}request(t){return{}}mounted(t){}draw(){}open(){let t=this.getAttribute("ticket");if(!t||this.channel)return;this.error=null,this.become("connecting");let e=!1;this.channel=k(w).open(()=>this.request(t),{mounted:s=>{e=!0,this.mounted(s)},frame:s=>this.#t(s),failed:(s,n)=>{if(s!=="unreachable"){if(this.close(),s==="gone"&&e)return this.open();this.error={code:s,message:n},this.become("error")}}})}close(){this.framed?.close(),this.framed=null,this.channel&&E(this.channel),E(this),this.channel?.close(),this.channel=null}speakWith(t,e){let s=this.framed=new St(t,{frame:this.frame,show:n=>this.show(n),message:n=>this.channel?.pass(n),lost:n=>this.fail(s,n),notice:()=>{},...e})}show(t){this.frame.hidden=!t,this.draw()}tell(t,e){this.channel?.send({event:t,...e})}fail(t,e){if(t!==this.framed)return;let{code:s="CONFIG_ERROR",message:n=String(e)}=e??{};this.error={code:s,message:n},this.tell("lost",{message:n}),this.become("error")}become(t){this.state=t,this.draw(),this.dispatchEvent(new Event("statechange"))}say(t,e){this.titled.textContent=t,this.origin.textContent=this.framed?new URL(this.framed.url).origin:"",this.status.textContent=this.error?.message??e,this.status.className=this.error?"danger":""}#t(t){t.bytes?this.#s(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s(t.message):t.ask!==void 0?this.channel?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#s(t){try{if(!this.framed)throw new Error("The page is not connected to the frame");this.framed.send(t)}catch(e){t.method&&t.id!==void 0&&this.channel?.pass(it(t.id,`${e}`))}}},C=(i,t)=>h("button",{class:"small",type:"button",onclick:t},i);var Ot=class extends V{#t="";#s="";#e;#i=0;#n=0;#o;constructor(){let t=C("Reconnect",()=>this.reconnect());super("Copilot",[t]),this.#e=t,this.root.querySelector(".server")?.classList.add("copilot"),this.draw()}reconnect(){return this.#i=0,this.#r(t=>t.connect({sessionId:this.#s,transportVisibility:{requirement:"required"},permissions:[]}))}request(t){return{copilot:t}}mounted({url:t,title:e,session:s}){this.#t=e,this.#s=s,this.speakWith(t,{lost:n=>this.#a(n),returned:()=>this.#r(n=>n.takeUp())}),this.reconnect()}close(){clearTimeout(this.#o),super.close()}draw(){let{state:t,framed:e}=this;this.say(this.#t,Mi[t]??""),this.status.hidden=t==="ready",this.#e.hidden=t!=="error"||!e}async#r(t){let{framed:e}=this;if(e){clearTimeout(this.#o),this.error=null,this.become("loading");try{if(!await t(e)||e!==this.framed)return;this.tell("connected"),this.become("ready")}catch(s){this.fail(e,s)}}}#a(t){let{framed:e}=this,s=performance.now();if(s-this.#n>Ni&&(this.#i=0),this.#n=s,t.code!=="WINDOW_GONE"||this.#i++>=Li)return e?.close(),this.fail(e,t);this.tell("lost",t),this.become("loading"),this.#o=setTimeout(()=>{e?.close(),this.fail(e,t)},Ci)}},Li=10,Ni=3e4,Ci=1e4,Mi={connecting:"Connecting\u2026",loading:"Loading\u2026"};customElements.get("mcp-copilot")||customElements.define("mcp-copilot",Ot);var Ze="2025-11-25",ts="2026-01-26",es=["2026-01-26","2025-11-21"];var x=i=>({}).toString.call(i)=="[object Object]",ot=i=>x(i)||Array.isArray(i)||Object(i)!==i&&typeof i!="bigint",F=(i,t,e=[],s=0)=>t(i)&&(Object(i)!==i||s<256&&Object.keys(i).every(n=>(e.splice(s,256,n),n!="__proto__"&&F(i[n],t,e,s+1))));var At=class{#t=new Map;#s=new Map;#e=[];#i=!1;#n=null;#o=new Map;pressed(t){t.repeat&&!this.#r(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#i=t.shiftKey,this.#f(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#r(t)||this.#a(t),this.#t.delete(t.code),this.#i=t.shiftKey}reported(t,e){(this.#s.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#l(t,e))}suspect(t,e,s){let n=performance.now(),o=n+1e3,{open:r,found:a}=this.#o.get(t)??{open:0,found:0};this.#o.set(t,{until:o,taken:s,open:r+1,found:a}),this.#n={at:n,until:o,field:e,isShifted:this.#i}}acquit(t){let e=this.#o.get(t);e&&--e.open>0||(this.#o.delete(t),this.#o.size===0&&(this.#n=null))}convict(t){let e=this.#o.get(t);e&&(e.open-=1,e.found>0&&this.#h(t,e))}isOpen(t){return(this.#o.get(t)?.open??0)>0}doubt(t){return Math.max(0,(this.#o.get(t)?.until??0)-performance.now())}#r({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#n;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:n,shiftKey:o,altKey:r,ctrlKey:a,metaKey:l,isComposing:u}=t;if(!(s.length>1&&s!=="Backspace"||r||a||l||u)){this.#s.set(n,t.timeStamp),o===e.isShifted&&this.#l({key:s,code:n,at:e.at,types:!0},e.field);for(let[p,d]of this.#o){let c=performance.now()>=d.until;c||(d.found+=1),!(d.open>0&&d.found<3)&&(c?this.#o.delete(p):this.#h(p,d))}}}#h(t,{taken:e}){this.#o.delete(t),e()}#l({key:t,code:e,at:s},n){if(!n?.isConnected)return;let o=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!n.dispatchEvent(o))return;let r=n;if(t==="Enter"&&n.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,l=r.value?.length,p=this.#e.filter(f=>f.field===n&&f.at>s).reduce((f,{step:m})=>f+m,0),d=p>0?0:Number(r.selectionEnd)-Number(a);a!==null&&p>0&&r.setSelectionRange(a-p,a-p),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||ss(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let c=t==="Delete"?a:Number(a)+r.value?.length-l+d;a!==null&&r.setSelectionRange(c,c),this.#f(n,t,s)}#f(t,e,s){this.#e=[...this.#e.filter(n=>performance.now()-n.at<3e4),{field:t,at:s,step:ss(e)}]}};function ss(i){return i==="Backspace"?-1:[...i].length===1?i.length:0}function te(i,t){let e=10,s=()=>setTimeout(()=>e-- >1?n=s():t(),i/10),n=s();return()=>clearTimeout(n)}function It(i){return new Promise(t=>{te(i,()=>t(null))})}var Di=3,Fi=6e4,Pi=300,$i=100,ji=1e3,Ui=250,zi=200,Hi=1e4,is=20,Wi="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Bi="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",se=class{#t=new Map;#s=null;#e=null;#i=[];#n=-1/0;#o=!1;#r=null;#a=null;#h=!1;#l=new At;#f;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1,givenAt:-1/0}),this.#h||this.#p()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#e!==t?this.#I(t,this.#s):this.#e=null,this.#R(e,this.#s))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#v()?Ui:0,this.#l.doubt(t))}isJudging(t){return this.#l.isOpen(t)}get isWriting(){return ns(this.#e===null&&this.#y()?this.#s:Rt())}give(t){let e=ee(t).activeElement===t;this.#a=e?null:t,e&&(this.#e=t);let s=this.#t.get(t);s&&(s.givenAt=performance.now()),t.focus({preventScroll:!0})}get moment(){return this.#h||this.#p(),this.#m}isSince(t){return this.#m===t}pressed(t,e){let s=this.#t.get(t);!s||this.#e!==null||this.#o||e.at<s.hadUntil||(s.keys.push(e),this.#O(t,s,e.at))}#p(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#u(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#b()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#d(e.timeStamp),this.#r=null)},t),addEventListener("keydown",e=>this.#x(e),t),addEventListener("keyup",e=>this.#l.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#S(),t),this.#s=Rt()}#u(t){let[e]=t.composedPath();if(e instanceof HTMLIFrameElement&&this.#t.has(e))return;this.#r=this.#a=null;let s=this.#o&&e===this.#s;this.#o=!1,e instanceof HTMLElement&&!s&&this.#c(e)}#c(t){this.#s=t,this.#d(performance.now()),this.#g();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#g(){let t=this.#e&&this.#t.get(this.#e);t&&(t.hadUntil=performance.now()),this.#e=null}#d(t){this.#i=[...this.#i.slice(1-zi),t]}get#m(){return this.#i.at(-1)??-1/0}#w(t){return this.#i.findLast(e=>e<=t)??this.#i[0]??-1/0}#b(){Rt()===null&&document.hasFocus()&&this.#c(null)}#x(t){!t.isTrusted||this.#e!==null&&t.composedPath()[0]===this.#e||(this.#g(),this.#d(t.timeStamp),this.#l.pressed(t),this.#r=t.key==="Tab"?t:null,!this.#r&&!t.ctrlKey&&!t.metaKey&&(this.#n=performance.now()))}#S(t=0){clearTimeout(this.#f);let e=this.#y();this.#o=!e&&t===is,this.#o&&(this.#r=null),!e&&!document.hasFocus()&&t<is&&(this.#f=setTimeout(()=>this.#S(t+1),t));let s=e&&this.#t.get(e);s&&this.#O(e,s)}#y(){return[...this.#t.keys()].find(t=>ee(t).activeElement===t)}#E(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:n}=this.#r??{timeStamp:-1/0,defaultPrevented:!0},o=!n&&performance.now()-s<this.#T();return e||o||this.#s===null||!this.#s.isConnected}#T(){return this.#v()?1e3:1e4}#v(){return this.#s?.isConnected===!0&&this.#s.matches(Wi)}#k(t,e){this.#e=t,e.keys=[]}async#O(t,e,s=1/0){if(this.#E(t))return this.#k(t,e);if(this.#e===t)return;let n=this.#s,o=this.#w(s),r=this.#v(),a=t.closest("[inert]")!==null,l=performance.now()-this.#n<Pi;this.#l.suspect(t,n,e.sandbox.stolen);let p=setTimeout(()=>this.#e===t||this.#I(t,n),l||a?0:$i),c=await(a?It(0):Promise.race([e.sandbox.ask(),It(this.#T())]));clearTimeout(p);let f=c?.isKnown===!1&&c.isActive&&!e.wasActive&&!l,m=c!==null&&(c.pointedAt>o||f);if(this.#t.get(t)===e){if(!m&&this.#e===t)return this.#l.convict(t);if(!m)return this.#A(t,e,n,r,c!==null);this.#l.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:y})=>y>this.#m),this.#m===o&&(this.#k(t,e),Rt()===n&&e.sandbox.focus())}}async#A(t,e,s,n,o){if(this.#I(t,s),o&&await Promise.race([e.sandbox.ask(),It(ji)]),this.#t.get(t)!==e)return;this.#l.convict(t);let r=performance.now(),a=r-e.givenAt<Hi;e.givenAt=-1/0,a||(e.thefts=[...e.thefts.filter(u=>r-u<Fi),r]),(this.#R(e,s)||n&&!a||e.thefts.length>=Di)&&e.sandbox.stolen()}#I(t,e){if(ee(t).activeElement!==t)return;let s=this.#i;t.blur(),e?.focus({preventScroll:!0}),this.#i=s}#R(t,e){let s=t.keys.splice(0);for(let n of s)this.#l.reported(n,ns(e)?e:null);return s.length>0}};function ee(i){return i.getRootNode()}function ns(i){return i!==null&&(i.isContentEditable||i.matches(Bi))}function Rt(){let i=document.activeElement;for(;i?.shadowRoot?.activeElement;)i=i.shadowRoot.activeElement;return i instanceof HTMLElement&&i!==document.body?i:null}var Vi=globalThis,Ki=Symbol.for("cloche.keyboard"),T=Vi[Ki]??=new se;var v=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},$=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),rt=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new v(-32001,t+": no answer")}request(t,e={},{id:s=$(),timeout:n=6e4,signal:o,onProgress:r,transfer:a}={}){let l,u;return new Promise((p,d)=>{if(u=f=>{let m=this.unanswered(t,s,f&&o);d(m),this.notify("notifications/cancelled",{requestId:s,reason:String(m)})},o?.aborted)throw this.unanswered(t,s,o);o?.addEventListener("abort",u);let c=()=>{clearTimeout(l),l=n&&setTimeout(u,n)};this.pending.set(s,{resolve:p,reject:d,progress:f=>(c(),r?.(f))}),c(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(l),o?.removeEventListener("abort",u)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:n,error:o}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):o?r?.reject(Object.assign(new v,o)):r?.resolve(n),r}async answer({id:t,method:e,params:s},n){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let o=n(e);if(t==null)return o?.(s);let r=new AbortController;this.running.set(t,r);let a=l=>r.signal.aborted||this.post({id:t,...l});try{if(!o)throw new v(-32601,"Not available: "+e);a({result:await o(s,r.signal,t)??{}})}catch(l){a({error:{code:+l?.code||-32603,message:String(l?.message??l),data:l?.data}})}finally{this.running.delete(t)}}},Lt=class extends rt{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:n={},result:o,error:r}=t;if(F(t,ot)&&!x(e)&&x(s?n:r??(o===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new v(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,n)=>{if(ot(n)||typeof n=="function")return n;throw new v(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var Xi=1e4,Qi,Zi=10,tn,rs=()=>tn??=en();function en(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let i=document.createElement("iframe");i.style.display="none",document.body.append(i);let t=i.contentDocument;for(let e=1;t?.body&&e<Zi;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return i.remove(),!t?.body}var ie=(i,t=document.body)=>Qi??=sn(i,t),os=!1;async function as(i,t){return os?!1:(os=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),ie(i,t))}function sn({url:i,origin:t},e){let s=$(),n=document.createElement("iframe");return n.setAttribute("sandbox","allow-scripts allow-same-origin"),n.style.display="none",n.src=`${i}#${s}`,new Promise(o=>{let r=u=>{clearTimeout(l),removeEventListener("message",a),n.remove(),o(u)},a=({source:u,origin:p,data:d})=>{u!==null&&u===n.contentWindow&&p===t&&d?.nonce===s&&r(d.leaky!==!1)},l=setTimeout(()=>r(!0),Xi);addEventListener("message",a),e.append(n)})}var hs=i=>"Request "+i+" timed out",ls=i=>"Request "+i+" was cancelled",cs=()=>"Transport is closed",ds=()=>"This id is in use by a request that is not answered yet";var j={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},on=4;function at(i,{bytes:t,depth:e}){let s=[],n=t,o="";return F(i,a=>{let l=s.at(-1)??"",u=typeof a=="string"?a:"";return n-=on+l.length+u.length+(Array.isArray(a)?a.length:0),n<0?o="is too large":u.isWellFormed()?Object(a)===a&&s.length>=e?o="is nested too deeply":(!ot(a)||typeof a=="symbol"||!l.isWellFormed())&&(o="is not JSON"):o="holds half a character",!o},s)?null:o||"is not JSON"}function _(i){return typeof i=="object"&&!Array.isArray(i)&&i?.jsonrpc==="2.0"}var M=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},Nt=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new M(t.rate,t.burst,e),this.patience=new M(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#s(t,-32e3,"Too many messages: wait a moment"):"cut";let e=at(t,this.limits);return e?this.#s(t,-32600,"The message "+e):_(t)?us(t)?this.#t.has(t.id)?this.#s(t,-32600,ds()):this.#t.size>=this.limits.pending?this.#s(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#s(t,e,s){return us(t)?{code:e,message:s}:"drop"}},us=i=>typeof i?.method=="string"&&/^(string|number)$/.test(typeof i.id);var rn=20,an=5,ne=new Map;function fs(i,t,e){return i?(addEventListener("message",hn,{capture:!0}),ne.set(i,{bucket:new M(an,rn),count:0,proxy:t,flooded:e}),()=>{ne.delete(i)}):()=>{}}function hn(i){if(i.isTrusted&&i.source===null&&i.origin==="null")return i.stopImmediatePropagation();let t=ln(i.source),e=t&&ne.get(t);e&&(i.source!==e.proxy()&&i.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function ln(i){let t=i&&"parent"in i?i:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ps="ui/notifications/sandbox-",cn="allow-scripts allow-same-origin allow-forms",oe=2e4,dn=1e4,un=5e3,fn=1e4,gs=10,pn=30,ms=fn/gs,mn=250,gn=.25,wn=10,bn=100,K=class{#t=$();#s=0;#e=0;#i=!1;#n=pn;#o=!1;#r=0;#a=[];#h=!1;#l=()=>{};#f=new Map;#p=0;#u=-1/0;#c=1/0;#g=[-1/0,1/0];#d=null;#m;#w=()=>{};constructor(t,e){this.options=t;let{rate:s,burst:n}=t.limits;this.bucket=new M(2*s,2*n+wn*s),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",cn),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!xn(this.options.sandbox))return this.#b("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#E),document.addEventListener("securitypolicyviolation",this.#y),this.element.addEventListener("load",()=>this.#S()),this.#x(oe),t.append(this.element),T.watch(this.element,{ask:()=>this.#A(),focus:()=>this.focus(),release:()=>this.#q(),stolen:()=>this.#b("focus")})}get isOver(){return this.#o}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#d&&(this.#x(oe),this.#O(e))}post(t){this.#d?.postMessage({message:t})}postBytes(t){this.#d?.postMessage({bytes:t},[t])}setTheme(t){this.#d?.postMessage({theme:t})}focus(){T.give(this.element),this.#d?.postMessage({focus:!0})}remove(){this.#o=!0,this.#w(),clearTimeout(this.#m),this.#l(),T.unwatch(this.element),removeEventListener("message",this.#E),document.removeEventListener("securitypolicyviolation",this.#y),this.#d?.close(),this.#d=null,this.element.remove()}#b(t,e){this.#o||(this.remove(),this.handlers.ended(t,e))}#x(t){this.#w(),this.#w=te(t,()=>this.#b("silent"))}#S(){if(this.#s+=1,this.#s>1)return this.#b("navigated");this.#v(),!(this.#d||this.#o)&&this.#x(dn)}#y=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#b("blocked")};#E=t=>{if(!this.#T(t))return;removeEventListener("message",this.#E),this.#v();let{html:e}=this.options;e?this.#x(oe):this.#w();let s=new MessageChannel;this.#d=s.port1,this.#d.onmessage=({data:r})=>this.#M(r);let n={nonce:this.#t},o={jsonrpc:"2.0",method:ps+"port",params:n};this.#k()?.postMessage(o,this.options.sandbox.origin,[s.port2]),e&&this.#O(e)};#T({source:t,origin:e,data:s}){return s?.method===ps+"proxy-ready"&&s.params?.nonce===this.#t&&e===this.options.sandbox.origin&&t!==null&&t===this.#k()}#v(){this.#l();let t=e=>this.#b("flood",{count:e});this.#l=fs(this.element.contentWindow,()=>this.#k(),t)}#k(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#O(t){let{frame:e,limits:s,theme:n}=this.options;try{let o=await t;this.#w(),this.setTheme(n);let r=!e.framed&&rs();this.#d?.postMessage({html:o,frame:e,limits:s,deep:r}),this.#o||this.#N()}catch(o){this.#b("html",o)}}#A(){if(!this.#d)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#p,e=performance.now();return this.#d.postMessage({question:t}),new Promise(s=>this.#f.set(t,{at:e,told:s}))}#I({question:t,now:e,timeOrigin:s,isActive:n}){let o=this.#f.get(t);if(this.#f.delete(t),o&&typeof e=="number"){let[a,l]=this.#g;this.#g=[Math.max(a,e-performance.now()),Math.min(l,e-o.at)],this.#c=Math.min(Math.max(performance.timeOrigin-s,this.#g[0]),this.#g[1])}let r=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#u-this.#c,isActive:n===!0,isKnown:r})}#R({pointedAt:t,typedAt:e,key:s,code:n,types:o}){typeof t=="number"&&(this.#u=Math.max(this.#u,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&T.pressed(this.element,{key:s,code:String(n),types:o===!0,at:Number(e)-this.#c})}#N(){this.#i=!1,this.#d?.postMessage({ping:++this.#e}),this.#C(0)}#C(t){let e=performance.now()+ms;this.#m=setTimeout(()=>{if(this.#i)return void(this.#m=setTimeout(()=>this.#N(),un));let s=t+(performance.now()-e>mn?gn:1);s>=this.#n?this.#b("unresponsive"):this.#C(s)},ms)}#M(t){if(!this.bucket.take())return this.#b("flood",{count:this.bucket.burst});this.#o||t===null||typeof t!="object"||(this.#i=!0,t.event==="navigated"||t.event==="flood"?this.#b(t.event,{count:Number(t.count)}):t.event==="told"?this.#I(t):t.event==="pressed"?this.#R(t):typeof t.event=="string"?this.#D(t):"message"in t&&this.#_(t))}#_({message:t,gesture:e,hasFocus:s}){let n=performance.now();this.#r=Math.max(this.#r,n+T.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#r}),this.#h||this.#L()}#q(){this.#r=0;for(let t of this.#a)t.until=0;this.#L()}#L(){for(this.#h=!1;!this.#o&&this.#a.length>0;){let t=T.isJudging(this.element)?bn:0,e=Math.max(Math.ceil(this.#a[0].until-performance.now()),t);if(e>0){this.#h=!0,setTimeout(()=>this.#L(),e);return}let[{message:s,gesture:n}]=this.#a.splice(0,1);this.handlers.message(s,n)}}#D(t){t.event==="loaded"&&(this.#n=gs,this.#A()),this.handlers.event(t)}};function xn({url:i,origin:t,around:e=t}){let s=URL.canParse(i)?new URL(i):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}var ws={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var bs={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},xs={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var vn=new Map([...Object.entries(ws).map(([i,t])=>[t,i]),...Object.entries(xs)]);function Ct({method:i}){return vn.get(i)??i}function Mt({initialize:i,limits:t,profile:e},s,n){let o={...s.containerDimensions};o.height===void 0&&t?.maxHeight&&(o.maxHeight=t.maxHeight);let r={...i.hostContext,...s,containerDimensions:o},a={...i,hostContext:r};return es.includes(n.protocolVersion)||(a.hostCapabilities=kn(i)),e?En(a,e):a}function kn({hostCapabilities:i,hostContext:t}){let e=Object.entries(bs).filter(([,s])=>s in i);return{...i,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function En({hostContext:i,...t},{context:e,withoutContext:s,omits:n}){let o=(r,a)=>Object.fromEntries(Object.entries(r).filter(([l])=>!a.includes(l)));return o({...t,hostContext:{...o(i,s),...e}},n)}var Tn={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},_t=class{#t=!1;#s;#e;#i=[];constructor(t,e,s,n){this.packet=t,this.channel=e,this.stage=s,this.limits={...j,...t.limits},this.methods=new Set(t.methods??[]),this.#e=t.first??[],this.handlers={message:(o,r)=>this.#f(o,r),event:o=>this.#l(o),ended:(o,r)=>this.#a(o,r)},this.frame=n??this.#n(),this.frame.element.title=t.title||t.tool||"App"}#n(){let{sandbox:t,frame:e}=this.packet,s=Et(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:n}=this.stage.context();return new K({sandbox:t,frame:e,limits:this.limits,theme:n,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#r(t.message)||this.frame.post(t.message):this.stage.act(t)}#o(){for(let t of this.#e.splice(0))this.#i.push(JSON.stringify(t)),this.frame.post(t)}#r(t){return this.#i.length>0&&this.#i[0]===JSON.stringify(t)&&this.#i.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#s!==void 0&&cancelAnimationFrame(this.#s),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:Tn[t]}#l(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();On.includes(t.event)&&this.channel.send(In(t))}#f(t,e){if(at(t,this.limits)||!_(t))return;let s=Ct(t);if(s==="ui/initialize"&&t.id!==void 0)return this.#p(t);if(s==="ping"&&t.id!==void 0)return this.#g(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#o();if(s==="ui/notifications/size-changed")return this.#u(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#d(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let n=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...n})&&t.id!==void 0&&this.#d(t.id,-32600,"The message is too large")}#p({id:t,params:e={}}){this.#g(t,Mt(this.packet,this.stage.context(),e)),this.greeted(e)}greeted(t){this.#t||this.report("initialize",{params:t,context:this.stage.context()}),this.#t=!0,this.stage.shown()}#u(t){let e=this.#s!==void 0;this.#c={...e?this.#c:{},...re(t,this.limits.maxHeight)},!e&&(this.#s=requestAnimationFrame(()=>{this.#s=void 0,this.stage.resized(this.#c),this.report("size",this.#c)}))}#c={};#g(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#d(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},Sn=1e4;function re(i,t=6e3){let e={},s={width:Sn,height:t};for(let n of["width","height"]){let o=i?.[n];typeof o=="number"&&o>=0&&(e[n]=Math.min(Math.ceil(o),s[n]))}return e}var On=["violation","error","console"],An=["event","message","directive","blocked","level"];function In(i){let t=An.filter(s=>typeof i[s]=="string"),e=Number.isSafeInteger(i.line)&&i.line>0?{line:i.line}:{};return{...Object.fromEntries(t.map(s=>[s,i[s].slice(0,500).toWellFormed()])),...e}}var Rn="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",ys=1e3,vs=-1/0,qt=new Map,ae=class{#t;#s=!1;constructor(t,e){this.packet=t,this.root=e,this.html=Et(new URL(t.html,w).href)}frame(t,e,s){let{sandbox:n,frame:o}=this.packet,r={...j,...this.packet.limits};return new K({sandbox:n,frame:o,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#s||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new J(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let n=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,o=n?s:new J(this,this.html,e);return n?o.frame.show(t,this.html,e):o.frame.start(t),o}shown(){vs=performance.now(),this.#e(ys)}#e(t){setTimeout(()=>{let e=vs+ys-performance.now();e>0?this.#e(e):this.renew()},t)}greeting(t){let[e,s]=t.split(/ (.*)/s),n=this.packet.greetings??{};if(!Object.hasOwn(n,s??""))return null;let o=n[s],{toolInfo:r}=o.hostContext;return r?{...o,hostContext:{...o.hostContext,toolInfo:{...r,id:e}}}:o}remove(){this.#s=!0,this.#t?.frame.remove()}},J=class{context=null;#t=null;#s=null;height;#e=[];#i;constructor(t,e,s="light"){this.view=t,this.frame=t.frame(e,s,{message:(n,o)=>{!this.#i&&this.#n(n)||this.#r(({handlers:r})=>r.message(n,o))},event:n=>{n.event==="loaded"&&t.shown(),this.#r(({handlers:o})=>o.event(n))},ended:(n,o)=>this.#r(({handlers:r})=>r.ended(n,o))})}static open(t,e,s,n){let o=qt.get(t??"");if(!o?.packet.early)return null;let r=o.show(e,s);return r.#s=n,r}fits({early:t,initialize:e}){let s=!this.#t||JSON.stringify(this.#t)===JSON.stringify(e);return this.view.packet.early===t&&s}#n(t){let{limits:e}=this.frame.options;if(!this.#s||at(t,e)||!_(t))return!1;let s=Ct(t),n=t.params??{};if(s==="ui/notifications/size-changed"&&this.#o(n,e),s!=="ui/initialize"||t.id===void 0||this.#t)return!1;let o=this.view.greeting(this.#s.call);if(!o)return!1;this.#t=o,this.context=this.#s.context();let r=Mt({...this.view.packet,initialize:o},this.context,n);return this.frame.post({jsonrpc:"2.0",id:t.id,result:r}),this.#r(a=>a.greeted(n)),!0}#o(t,e){let{height:s}=re(t,e.maxHeight);s!==void 0&&(this.height=s,this.#s?.resized(s))}#r(t){this.#i?t(this.#i):this.#e.push(t)}handOver(t){this.#i=t;for(let e of this.#e.splice(0))e(t)}},Dt=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#s=null;#e=[];#i;#n=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=Rn,this.#s=k(w).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#r(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#i&&this.#o(this.#i);for(let t of this.#e.splice(0))t.remove();this.#s?.close(),this.#s=null}#o(t){t.remove(),qt.get(t.packet.view)===t&&qt.delete(t.packet.view)}#r(t){let e=this.#i=new ae(t,this.#n);yt(this,{displayMode:"inline",width:0}),qt.set(t.view,e),e.html.catch(()=>this.#o(e)),this.#a(e,Promise.resolve(""),s=>{this.#e=[s],e.renew(),this.#a(e,e.html,n=>{n.remove(),this.#t()})})}#a(t,e,s){let n=t.frame(e,"light",{message:()=>{},event:({event:o})=>o==="loaded"&&s(n),ended:()=>this.#t()});this.#e.push(n),n.start(this.#n)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Dt);var he=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;connectedCallback(){this.style.display="none",this.#s()}disconnectedCallback(){this.#i(),this.#n("idle")}attributeChangedCallback(){this.isConnected&&(this.#i(),this.#s())}#s(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#n("connecting");let e=!1;this.#t=k(w).open(()=>({questions:t}),{mounted:()=>{e=!0,this.#n("ready")},frame:s=>this.#e(s),failed:(s,n)=>{if(s!=="unreachable"){if(this.#i(),s==="gone"&&e)return this.#s();this.error={code:s,message:n},this.#n("error")}}})}#e(t){t.ask!==void 0?this.#t?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#i(){this.#t&&E(this.#t),this.#t?.close(),this.#t=null}#n(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}};customElements.get("mcp-questions")||customElements.define("mcp-questions",he);var Ln="cloche.sign-in";function ks(i){let t=new BroadcastChannel(Ln);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&i(e)},()=>t.close()}var Nn="M8 2a6 6 0 1 1-6 6",Cn="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",Mn="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",_n=400,Ft=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[W()],this.name=h("span","name"),this.server=h("strong"),this.origin=h("span","origin",ct(Mn),h("span",{},"App from ",this.server)),this.leave=h("button",{class:"leave",onclick:e.leave},"Leave full screen"),this.questionsOff=h("button",{class:"small",hidden:!0,onclick:e.allowQuestions,title:"You declined three times in a row"},"Questions are off: allow");let n=h("div","whose",this.name,this.origin);this.stage=h("div","stage"),this.loading=h("div",{class:"note loading",role:"status"},ct(Nn),h("div",{},"Loading the app")),this.hint=h("p"),this.retry=h("button",{onclick:e.retry},"Try again"),this.problem=h("div",{class:"note problem",role:"alert"},ct(Cn),h("div",{},h("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=h("progress",{max:1,"aria-label":"Progress"}),this.step=h("span"),this.progress=h("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let o="The connection is lost. Trying again; what you do here is kept.";this.lost=h("div",{class:"lost",role:"status"},o),this.inside=h("div",{class:"inside",role:"group"},h("header","bar",n,this.questionsOff,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.panel=h("dialog",{class:"panel bordered"},this.inside),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:n,size:o,limits:r},a){let l=String(t||e||"App");this.name.textContent=l,this.server.textContent=String(s??""),this.origin.hidden=!s,this.inside.setAttribute("aria-label",l),this.panel.setAttribute("aria-label",l),this.panel.classList.toggle("bordered",n!==!1),this.setHeight(a??o?.height??r?.firstHeight??_n)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.inside.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setQuestionsOff(t){this.questionsOff.hidden=!t}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){O.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var S=class extends Error{code="APP_LOAD_FAILED"},q=class extends S{code="APP_DISCONNECTED"},ht=class extends S{code="APP_TIMEOUT"},U=class extends S{code="ORIGIN_NOT_ALLOWED"};var D=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var Es=new URL("./app-frame.js",import.meta.url).href,Pt=class{#t;#s=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#s,s=le(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let n=this.element.contentWindow,{document:o}=n,r=Object.assign(o.createElement("script"),{type:"module",src:Es}),a=le(r,"load");o.head.append(r),await a,e.throwIfAborted(),this.#t=n.clocheAppFrame,n.addEventListener("message",this.handlers.received,{signal:e}),o.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let l=le(this.frame,"load");l.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(o.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,o.body.append(this.frame),await l}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#s.abort(new S("The app was unloaded")),this.element.remove()}};function le(i,t){return new Promise((e,s)=>{i.addEventListener(t,()=>e(),{once:!0}),i.addEventListener("error",()=>s(new S(`${Es} could not be loaded`)),{once:!0})})}var Ts={name:"cloche",version:"1"},qn=/^[a-z][a-z0-9-]{0,49}$/,$t=class extends D{state="loading";serverInfo=null;#t=new Nt(j);#s;#e;#i=new Map;#n=!1;#o=!1;#r=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=Fn(t.options,e),this.holder=new Pt(this.frame,e.url,{received:s=>this.#p(s),left:()=>this.#y(new U(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#y(new q(`${this.name}: The app went to another page`))}),this.iframe=Pn(this.holder.element,t.options,e),this.transport=new Lt(s=>this.#f(s),s=>this.#m(s),s=>t.failed(s)),this.#r.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,n=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,o=setTimeout(()=>this.#r.reject(new ht(n)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#r.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#l);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(o)}}#a(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#r.promise.catch(()=>{}).then(()=>this.#e||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#e=e,this.#s="transport",e.onMessage(s=>this.#u(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#y(new q(`${this.name}: the app closed the connection`))),this.#d())},()=>{}))}async connect(){if(await this.#r.promise,this.#s){let t={protocolVersion:Ze,capabilities:{},clientInfo:Ts},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#r.reject(new q(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#l);this.#e?.close(),this.holder.close()}focus(){this.frame.focus(),this.#l()}#l=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#o||this.state==="disconnected"||(this.#o=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#f(t){this.#t.answered(t),this.#e?this.#e.send(t):this.#s&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#p({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#u(s,()=>_(s)?void this.transport.receive(s):this.#c(s))}#u(t,e){let s=this.#t.judge(_(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#y(new q(`${this.name}: The app sent too many messages`)):x(s)?this.#f({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#c(t){let{type:e,payload:s}=x(t)?t:{};e==="app:ready"?(this.#s??="envelopes",this.serverInfo=s?.serverInfo??null,this.#n&&this.#a(),this.#d()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#S(s):this.#g(typeof e=="string"?e:"message",s??t,t)}#g(t,e,s){this.tell(t,e),t!=="message"&&this.tell("message",s),this.host.options.onAppMessage?.(s),this.host.tell("message",{app:this,message:s})}#d(){this.state==="loading"&&(this.state="ready"),this.#r.resolve()}#m(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#w();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:n})=>this.#x(n);if(t==="tools/call"&&e)return n=>this.#b(n);if(t==="resources/read"&&s)return({uri:n})=>s(String(n));if(t==="ui/notifications/size-changed")return n=>this.#S(n);if(t.includes("notifications/"))return n=>this.#g(t,n,{method:t,params:n})}#w(){this.#d();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:ts,hostInfo:Ts,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#b({name:t,arguments:e={}}){if(typeof t!="string"||!x(e))throw new v(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new v(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#x(t){if(typeof t!="string"||!qn.test(t))throw new v(-32602,"A permission has a short name");let e=this.#i.get(t)??this.host.mayUse(t,this.id);return this.#i.set(t,e),{granted:await e}}#S(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||O.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,j.maxHeight??0)}px`)}}#y(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#r.reject(t),this.host.unload(this.id),this.host.failed(t))}},Dn="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function Fn(i,t){let e=document.createElement("iframe");return Ss(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),i.csp&&e.setAttribute("csp",i.csp),i.csp&&!("csp"in e)&&console.warn(Dn),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function Pn(i,t,e){Ss(e,i,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),i.title||=e.name??e.id,Object.assign(i.style,t.style);for(let s of["width","height"]){let n=e[s];n!==void 0&&(i.style[s]=typeof n=="number"?`${n}px`:n)}return i}function Ss({attributes:i={}},t,e){for(let s in i)e.test(s)&&t.setAttribute(s,i[s])}var $n=["allow-scripts"],jn=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,Un=i=>new ce(i),ce=class extends D{#t=new Map;#s=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:$n,...t};let{container:e,allowedOrigins:s}=t,n=typeof e=="string"?document.querySelector(e):e;if(!(n instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=n,this.allowedOrigins=zn(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new U(`${e.origin} is not one of allowedOrigins`);let s=Hn(t.sandbox??this.options.sandbox,e),n=t.id??`app-${++this.#s}`;if(this.#t.has(n))throw new S(`There is an app with the id ${n} already`);let o=new $t(this,{...t,id:n,url:e,sandbox:s});this.#t.set(n,o);try{await o.open(this.container)}catch(r){throw this.unload(n),this.failed(r),r}return this.tell("load",o),o}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,s){let{hitl:n}=this.options;return!n||n.neverConfirm?.includes(t)&&!n.alwaysConfirm?.includes(t)?!0:await this.#e(()=>n.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#e(()=>s({permission:t,app:e}))}async#e(t){let e=this.options.hitl?.confirmationTimeout??3e4,s=new Promise(n=>setTimeout(n,e,!1));try{return await Promise.race([t(),s])===!0}catch(n){return this.failed(n),!1}}};function zn(i){if(!Array.isArray(i)||i.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of i)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is not an origin, such as https://app.example.com`);return[...i]}function Hn(i,t){let e=i.find(n=>jn.test(n));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(i.includes("allow-same-origin")&&i.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return i}var me=3e4,Bn=256;var G=class extends Error{constructor(t,e){super(t),this.code=e}},jt=class extends G{constructor(){super(cs(),"TRANSPORT_CLOSED")}},ue=class extends G{constructor(t){super(hs(t),"REQUEST_TIMEOUT")}},fe=class extends G{constructor(t){super(ls(t),"REQUEST_CANCELLED")}};function Os(i,t=16777216,e=!0){let s=[],n=0,o="",r=!1,a=F(i,u=>{o={}.toString.call(u).slice(8,-1);let p=o=="ArrayBuffer";return r||=p,n+=(s.at(-1)?.length??0)+(o=="String"?u.length:p?u.byteLength:2),o=="Number"&&!isFinite(u)&&(o=""+u),n<=t&&(p?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(o))},s),l=n>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is not a name":" is a "+o);return{length:n,hasBuffers:r,flaw:a?"":l}}var Is=i=>JSON.parse(JSON.stringify(i)),Rs=i=>typeof i=="number"||typeof i=="string"&&i.length<1e3,Ls=i=>"method"in i&&"id"in i;var Vn=i=>x(i)&&i.jsonrpc=="2.0"&&Rs(i.id??0)&&("method"in i?typeof i.method=="string"&&x(i.params??{}):"result"in i!=x(i.error)),pe=class extends rt{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=Is(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new fe(e):new ue(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},Y=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#s=new Set;#e=[];#i=!1;rpc=new pe(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#e.splice(0).forEach(this.#n),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#s.add(t),()=>{this.#s.delete(t)}}request({method:t,params:e,id:s=$()},n){return this.rpc.request(t,e,{timeout:me,...n,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof v)return Is({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,n={...t,type:s+(t.method?":request":":response")};this.say(this.#i?n:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:n,...o}=t??{},{messageType:r}=this;s===r&&this.deliver(n),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#i=!0,this.deliver({...o,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=Vn(t)?Os(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!x(t)||!Rs(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#n(t):this.#e.length<Bn?this.#e.push(t):this.dropped++}violated(t){this.violations++,de(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new jt),[...this.#s].forEach(de))}release(){}#n=t=>{for(let e of[...this.#t])de(()=>e(t))};verify(t){if(!this.isConnected)throw new jt;let{flaw:e,hasBuffers:s}=Os(t,this.limit,this.carriesBuffers);if(e)throw new G("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function de(i){try{await i()}catch(t){console.error(t)}}var Kn=i=>new ge(i),ge=class{#t;#s;#e=!1;#i=new Set;#n=new D;#o=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:n}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new Y,{post:o=>{let r=o.method?"mcp:notification":"mcp:response";this.#r(Ls(o)?o:{type:r,payload:o})},farewell(){}}),s&&this.transport.serve(o=>async r=>{try{return await s(o,r)}catch(a){throw n?.(a),a}}),addEventListener("message",o=>this.#a(o))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#s}postMessage(t,e){this.#r({type:t,payload:e})}onMessage(t,e){return this.#n.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:me,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),n=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||n?!1:(this.#i.add(t),!0)}getPermissions(){return[...this.#i]}#r(t){for(let e of this.#o===null?this.options.allowedOrigins:[this.#o])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#o??=e,e!==this.#o||typeof s!="object"||s===null))return;let{type:n,payload:o,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):n==="mcp:request"?this.transport.deliver({...o,jsonrpc:"2.0"}):n==="app:init"?this.#h(o??{}):typeof n=="string"&&(n==="auth:refresh"&&this.#l(o),this.#n.tell(n,"payload"in s?o:s))}#h({data:t,authContext:e}){this.#e||(this.#e=!0,this.#l(e),this.#t=t,this.options.onInitialData?.(t))}#l(t){this.#s=t,t!==void 0&&this.options.onAuthContext?.(t)}};var Jn="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",Gn="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",Yn=50,we=class i extends HTMLElement{static origins=new Set([location.origin,new URL(w).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#s;#e=null;#i=null;#n=null;#o=null;#r={};#a=[];#h;#l=NaN;constructor(){super(),this.#t=new Ft(this,{retry:()=>this.reload(),leave:()=>this.#E("inline"),allowQuestions:()=>this.#i?.report("allow-questions")});let{panel:t,stage:e}=this.#t;this.#s=new H(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#O());t.observe(this),this.#a=[vt(()=>this.#O()),()=>t.disconnect(),ks(e=>this.#i?.report("sign-in",{query:e}))],this.#f()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#c(),this.#v("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#A();this.#o=null,this.reload()}}setDisplayMode(t){this.#i&&this.#y(t)}focus(){this.#i?.frame.focus(),this.state==="loading"&&(this.#l=T.moment)}reload(){this.#c(),this.isConnected&&this.#f()}#f(){if(!this.#o&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#u())return this.#T("arguments","The attribute arguments is not a JSON object.");let t=this.#p();if(t===null)return this.#T("base",Jn);this.#v("loading");let e=B(this);this.#t.setTheme(e),this.#n=t!==w?null:J.open(this.getAttribute("view"),this.#t.stage,e,{call:this.getAttribute("call")??"",context:()=>this.#k(),resized:n=>this.#t.setHeight(n)});let s=!0;this.#e=k(t).open(()=>this.#g(),{mounted:n=>this.#d(n),frame:n=>this.#i?this.#i.receive(n):this.#x(n),waiting:n=>this.#t.setWaiting(n&&this.#i!==null),failed:(n,o)=>{if(n==="gone"&&s&&this.#i)return s=!1,void this.reload();this.#T(n,o)}})}#p(){let t=this.getAttribute("base");if(!t)return w;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&i.origins.has(s.origin)?s.href:null}#u(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return x(t)?t:null}catch{return null}}#c(){O.forget(this),this.#s.clear(),this.#e&&E(this.#e),this.#i?.remove(),this.#n?.frame.remove(),this.#i=this.#n=null,this.#E("inline"),this.#e?.close(),this.#e=null,this.#t.setWaiting(!1),this.#t.setProgress(null),this.#t.setQuestionsOff(!1),this.#l=NaN}#g(){this.#n||(this.#r=this.#k());let t={context:this.#n?{}:this.#r,origin:location.origin},e=this.#o??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#u(),...t}}async#d(t){let{leaky:e}=t,s=e?.do==="refuse";if(s||this.#m(t),!e)return;let n=this.#e,o=await(s?ie:as)(e.probe,this.#t.stage);!n||n!==this.#e||(o&&n.send({event:"leaky",refused:s}),s&&(o?this.#T("leaky",Gn):this.#m(t)))}#m(t){let e=this.#e;if(!e)return;this.#o=t.ticket??this.#o,this.#n&&(this.#r=this.#n.context??this.#k());let s=this.#b(t);this.#t.describe(t,s?.height),this.#i=new _t(t,e,{shown:()=>this.#w(),resized:({height:n})=>n===void 0||this.#t.setHeight(n),ended:(n,o)=>this.#T(n,o),escaped:()=>this.#s.isOpen||this.#E("inline"),act:n=>this.#x(n),context:()=>this.#r},s?.frame),s?s.handOver(this.#i):this.#i.frame.start(this.#t.stage)}#w(){this.#v("ready");let t=T.isSince(this.#l);this.#l=NaN,t&&this.focus()}#b(t){let e=this.#n;return this.#n=null,e?.fits(t)?e:(e?.frame.remove(),null)}#x(t){if(t.ask!==void 0){let e=t.question?.over==="page";this.#e?.ask(e?b():this.#s,t.ask,t.question)}else t.unask!==void 0?(this.#s.unask(t.unask),b().unask(t.unask)):t.do==="open-link"?this.#S(t.url):t.do==="display-mode"?this.#y(t.mode,!0):t.do==="questions"?this.#t.setQuestionsOff(t.off===!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?$e(t.files,()=>this.#i?.report("error",{message:"download"})):t.do==="remove"&&(this.#c(),this.#v("closed"))}async#S(t){let e=gt(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,n={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#s.ask(e,n))&&wt(e)}#y(t,e=!1){O.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&T.isWriting);this.#E(s?"fullscreen":"inline")})}#E(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#i?.frame.focus(),this.#A()),this.#i?.report("display-mode",{mode:t})}#T(t,e){this.error={code:t,message:e},this.#c(),this.#v("error")}#v(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#k(){return yt(this,{displayMode:this.displayMode,...this.#t.room()})}#O(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#A()},Yn)}#A(){this.#t.setTheme(B(this));let t=this.#k(),e=We(this.#r,t);this.#r=t,!(!this.#i||Object.keys(e).length===0)&&(e.theme&&this.#i.frame.setTheme(t.theme),this.#i.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",we);var Ns="mcp:",Cs=(i,t,e=t)=>new Promise((s,n)=>{let o=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(Ns+i,{signal:e},o).catch(n)}),Ms=(i,t,e)=>{navigator.locks.request(Ns+i,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var Ut=class extends Y{constructor(t=self,e){super(e),this.target=t.port??t;let s=(n,o)=>this.target.addEventListener(n,o,this.over);s("message",({data:n})=>this.take(n)),s("close",()=>this.ended()),t.addEventListener("error",({message:n})=>n||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Cs(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):Ms(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var _s="notifications/initialized",zt=class{#t=new Map;#s=0;#e=null;#i=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:n}=t;if(s===_s&&this.#i||(s===_s&&(this.#i=!0),s==="initialize"&&this.#n(e)))return;if(s==="notifications/cancelled")return this.#o(t);if(!s||e===void 0)return this.toServer(t);let o=++this.#s,r=n?._meta?.progressToken;this.#t.set(o,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?n:{...n,_meta:{...n._meta,progressToken:o}};this.toServer({...t,id:o,...a?{params:a}:{}})}#n(t){this.#e&&this.toHost({...this.#e,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#e!==null||e!==void 0}#o(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let s=this.#t.get(t.params?.progressToken);return s&&this.toHost({...t,params:{...t.params,progressToken:s.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#e=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};var oh=i=>new be(i),be=class extends EventTarget{state="connecting";error=null;#t=null;#s=!1;#e;#i=[];#n=new AbortController;constructor({ticket:t,transport:e,base:s=w}){super(),this.transport="onMessage"in e?e:new Ut(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#e=new zt(n=>this.#h(n),n=>this.#l(n)),this.#i=[this.transport.onMessage(n=>this.#e.fromServer(n)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#f,this.#n),addEventListener("focus",this.#f,this.#n),this.#o()}close(){this.#p("closed",null)}async#o(){this.#s=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#p("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=k(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#s=!0,this.error=null,this.#u("offered")},frame:e=>this.#a(e),failed:(e,s)=>this.#r(e,s)}))}#r(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#u("connecting");let s=this.#s;if(this.#t?.close(),this.#t=null,this.#e.forget(),t!=="gone"||!s)return this.#p("error",{code:t,message:e});this.#u("connecting"),this.#o()}#a(t){t.bytes?this.#e.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#e.fromHost(t.message):t.ask!==void 0?this.#t?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#e.fromServer(it(t.id,`${e}`))}}#l(t){this.#s&&this.#t?.pass(t)}#f=()=>{!document.hidden&&this.#s&&this.#t?.send({event:"visible"})};#p(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#i.splice(0))s();this.#n.abort(),this.#e.forget(),this.#t&&E(this.#t),this.#t?.close(),this.#t=null,this.error=e,this.#u(t)}}#u(t){this.state=t,this.dispatchEvent(new Event("statechange"))}};var Ht=class extends V{setup=null;#t="";#s=!1;#e="";#i=h("strong");#n=h("span");#o=h("iframe",{title:"Setup"});#r=h("dialog",{class:"setup","aria-label":"Set up a server"});#a;constructor(){let t={toggle:C("Show",()=>this.setVisible(!this.#s)),back:C("Reconnect",()=>this.reconnect()),again:C("Set up",()=>this.setUp()),away:C("Remove",()=>this.forget())};super("Server",Object.values(t)),this.#a=t;let e=C("Cancel",()=>this.framed?.cancel()),s=h("div","bar",h("div","origin whose",this.#i,this.#n),e);this.#r.append(s,this.#o),this.#r.addEventListener("cancel",n=>{n.preventDefault(),this.framed?.cancel()}),this.root.append(this.#r),this.draw()}get isVisible(){return this.#s}setVisible(t){this.framed?.setVisible(t)}async setUp(){let t=this.framed;if(t){this.#l("it is being set up"),this.become("setup");try{let e=await t.setUp(this.setup);if(!e||t!==this.framed)return;this.setup=e,this.tell("setup",{setup:e})}catch(e){return this.fail(t,e)}await this.reconnect()}}async reconnect(){let t=this.framed;if(!(!t||!this.setup)){this.#l("it is being loaded"),this.become("loading");try{if(!await t.connect(this.setup)||t!==this.framed)return;this.tell("connected"),this.become("ready")}catch(e){this.fail(t,e)}}}forget(){this.framed&&(this.framed.close(),this.setup=null,this.#e="",this.tell("removed"),this.become("new"))}request(t){return{offer:t,visible:!document.hidden}}mounted({url:t,server:e,setup:s}){this.#t=e,this.speakWith(t,{setupFrame:this.#o,showSetup:n=>this.#f(n),allow:n=>this.#h(new URL(t).origin,n),notice:n=>{this.#e=n,this.draw()}}),!s&&this.setup&&this.tell("setup",{setup:this.setup}),this.setup=s??this.setup,this.setup?this.reconnect():this.become("new")}async#h(t,e){let s=e.map(({name:o,purpose:r})=>`${o}: ${r}`).join(`
`),n={title:`Allow ${t} to use this?`,details:s,accept:"Allow",seconds:Xn};return await b().ask({},n,void 0,this)===!0}#l(t){this.state==="ready"&&this.tell("lost",{message:t}),this.error=null}#f(t){t&&!this.#r.open?this.#r.showModal():!t&&this.#r.open&&this.#r.close()}show(t){this.#s=t,super.show(t)}draw(){let{setup:t,state:e,framed:s}=this,{toggle:n,back:o,again:r,away:a}=this.#a,l=t?.transportVisibility.requirement==="optional";this.say(t?.displayName??this.#t,this.#e||Qn[e]),this.#i.textContent=this.titled.textContent,this.#n.textContent=this.origin.textContent,n.textContent=this.#s?"Hide":"Show",n.title=t?.transportVisibility.description??"",n.hidden=e!=="ready"||!l,r.textContent=t?"Set up again":"Set up",r.hidden=!s||e==="setup"||e==="loading",o.hidden=e!=="error"||!t||!s,a.hidden=!s||!t}},Xn=24,Qn={idle:"",connecting:"Connecting\u2026",new:"Set the server up to use it.",setup:"Being set up\u2026",loading:"Loading\u2026",ready:"Connected",error:""};customElements.get("mcp-server")||customElements.define("mcp-server",Ht);export{q as AppConnectionError,S as AppLoadError,ht as AppTimeoutError,we as McpApp,Dt as McpAppPreload,Ot as McpCopilotElement,Ht as McpServerElement,Tt as McpTools,be as OfferedServer,U as OriginNotAllowedError,Kn as createAppChild,Un as createAppHost,oh as offerServer};
