function l(s,t={},...e){let i=document.createElement(s);for(let[n,o]of Object.entries(typeof t=="string"?{class:t}:t))n in i&&!n.includes("-")?Reflect.set(i,n,o):o!==""&&i.setAttribute(n,o);return i.append(...e.filter(n=>n!=null&&n!==!1)),i}function ot(s){if(s.assignedSlot)return s.assignedSlot;let t=s.getRootNode();return s.parentElement??(t instanceof ShadowRoot?t.host:null)}var fe="http://www.w3.org/2000/svg";function rt(s){let t=document.createElementNS(fe,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(fe,"path"),i={d:s,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[n,o]of Object.entries(i))e.setAttribute(n,o);return t.append(e),t}var Ri=700,Mi=100,Ni=100,at=2,ht=class{#t=0;#e=0;#i=!1;#s=!1;#n="";#o=0;#r=new Set;#a;#h;constructor(t,e,i,n){this.shade=t,this.box=e,this.buttons=i,this.changed=n}start(){this.stop(),this.#n="",this.#s=!1,this.#d(),this.changed(!1),this.#l(),this.#m(),this.#p()}stop(){this.#i=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#o)}counts(t){return this.#c(),t.isTrusted&&this.#i}#l(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},i=()=>this.#d();addEventListener("scroll",i,e),addEventListener("resize",i,e),globalThis.visualViewport?.addEventListener("resize",i,e),globalThis.visualViewport?.addEventListener("scroll",i,e),document.addEventListener("visibilitychange",i,e),this.shade.addEventListener("pointerdown",()=>this.#f(),e),this.shade.addEventListener("keydown",n=>this.#g(n),e);for(let n of["pointerup","pointercancel","keyup"])addEventListener(n,()=>this.#u(),e);addEventListener("pointermove",n=>n.buttons===0&&this.#u(),e)}#m(){if(this.#r.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:Ni,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let i of e){let{isVisible:n,target:o}=i;n?this.#r.delete(o):this.#r.add(o)}},t);for(let e of this.#x())this.#r.add(e),this.#h.observe(e)}#p(){this.#o=requestAnimationFrame(()=>{this.#c(),this.#p()})}#c(){let t=this.#x(),e=[this.box,...t].map(Ci).join(),i=e===this.#n;if(this.#n=e,!i||this.#s||!this.#v(t))return this.#d();let n=performance.now();this.#t+=Math.min(n-this.#e,Mi),this.#e=n,!this.#i&&this.#t>=Ri&&this.#w(!0)}#d(){this.#t=0,this.#e=performance.now(),this.#i&&this.#w(!1)}#w(t){this.#i=t,this.changed(t)}#f(){this.#c(),this.#i||(this.#s=!0)}#g(t){this.#c();let e=t.key==="Enter"||t.key===" ";this.#i&&!(e&&t.repeat)||(this.#s=!0,this.#d())}#u(){this.#s&&(this.#s=!1,this.#d())}#x(){return this.buttons.filter(t=>!t.hidden)}#v(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(_i)&&t.every(i=>qi(i)&&(!this.#r.has(i)||Pi(i)))}};function Ci(s){let{x:t,y:e,width:i,height:n}=s.getBoundingClientRect();return`${t} ${e} ${i} ${n}`}function _i(s){let{left:t,top:e,right:i,bottom:n,width:o}=s.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:h,height:c}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return o>0&&t>=r-1&&e>=a-1&&i<=r+h+1&&n<=a+c+1}function qi(s){let{left:t,top:e,right:i,bottom:n}=s.getBoundingClientRect(),[o,r]=[(t+i)/2,(e+n)/2],a=s.getRootNode();return[[o,r],[t+at,r],[i-at,r],[o,e+at],[o,n-at]].every(([c,u])=>a.elementFromPoint(c,u)===s)}function Pi(s){for(let t=s;t;t=ot(t)){let{opacity:e,filter:i,transform:n}=getComputedStyle(t);if(e!=="1"||i!=="none"||n!=="none")return!0}return!1}var $t=class{#t=new Set;#e=new Map;begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(i=>[...i.values()]);this.#e.clear();for(let i of e)i()}when(t,e,i){if(this.#t.size===0)return i();let n=this.#e.get(t)??new Map;n.delete(e),this.#e.set(t,n.set(e,i))}forget(t){this.#e.delete(t)}},$i=globalThis,ji=Symbol.for("cloche.calm"),k=$i[ji]??=new $t;var jt=29e5;function ue(s,t){let e=l("textarea",{rows:1,class:"lines code",placeholder:"base64",spellcheck:!1}),i=l("input",{type:"file","aria-label":`File for ${s.title??t.name}`});s.contentMediaType&&(i.accept=s.contentMediaType);let n=l("span",{class:"about",role:"status"});e.value=s.default??"",i.onchange=async()=>{let[r]=i.files??[];r&&(n.textContent=r.size>jt?`${r.name} is larger than ${jt/1e6} MB.`:`Reading ${r.name} \u2026`,!(r.size>jt)&&(e.value=await Di(r),n.textContent=`${r.name}, ${r.size} bytes`))},e.oninput=()=>n.textContent="";let o=T(e,s,t);return o.insertBefore(l("div","actions",i,n),e),{element:o,read:()=>{let r=e.value.replaceAll(/\s/g,"");if(r==="")return A(e,t);if(!/^[A-Za-z0-9+/_-]*={0,2}$/.test(r))throw new g("Choose a file, or write base64",e);return r},write:r=>e.value=r??""}}function Di(s){return new Promise((t,e)=>{let i=new FileReader;i.onload=()=>t(String(i.result).split(",")[1]??""),i.onerror=()=>e(i.error),i.readAsDataURL(s)})}function pe(s,t,e){let i=l("input",{type:"file"});s.contentMediaType&&(i.accept=s.contentMediaType);let n=l("span",{class:"about",role:"status"}),o="",r=h=>n.textContent=h;i.onchange=()=>{let[h]=i.files??[];o=h?e(h):"",r(h?`${h.size.toLocaleString("en")} bytes. It stays on this device.`:"")};let a=T(i,s,t);return i.after(n),{element:a,read:()=>o||A(i,t),write:h=>{o=h??"",o||(i.value=""),r(o)}}}function I(s,t,e=0){let i=typeof s?.$ref=="string"&&s.$ref.startsWith("#/")?s.$ref.slice(2).split("/"):null;if(!i||e>20)return s??{};let n=t;for(let a of i){let h=decodeURIComponent(a).replaceAll("~1","/").replaceAll("~0","~");n=Object.hasOwn(n??{},h)?n[h]:void 0}let{$ref:o,...r}=s;return{...I(n??{},t,e+1),...r}}function me(s,t){let e=Array.isArray(s.type)?s.type.map(n=>({...s,type:n})):[];return(s.anyOf??s.oneOf??e).map(n=>I(n,t)).filter(n=>n.type!=="null")}function V(s,t){let e=n=>typeof n=="string"?n:JSON.stringify(n);if(Array.isArray(s.enum)){let n=s.enumNames?.length===s.enum.length?s.enumNames:[];return s.enum.map((o,r)=>({value:o,title:String(n[r]??e(o))}))}let i=(s.oneOf??s.anyOf??[]).map(n=>I(n,t));return i.length===0||!i.every(n=>"const"in n)?null:i.map(n=>({value:n.const,title:String(n.title??e(n.const))}))}function ge(s){let t=["title","description","default","examples"].filter(e=>s[e]!==void 0);return Object.fromEntries(t.map(e=>[e,s[e]]))}function Y(s){if(typeof s.type=="string")return s.type;if(s.properties)return"object";if(s.items)return"array"}function Fi(s){let[,t]=s.split(/\bExamples?:/i,2),[e,i]=(t??"").trimStart().split(/[\n;]/,2),n=e.trimEnd(),o=i===void 0&&n.endsWith(".")?n.slice(0,-1):n;return/^[`"']?([^`"']+)[`"']?$/.exec(o.trimEnd())?.[1].trim()??""}function z(s){let[t]=Array.isArray(s.examples)?s.examples:[];return t!==void 0?typeof t=="string"?t:JSON.stringify(t):Fi(String(s.description??""))}function we(s,t){try{return new RegExp(s,"u").test(t)}catch{return!0}}var zi=200,Ui=100,Hi=0;function be(s,t){let e=`suggestions-${++Hi}`,i=l("datalist",{id:e}),n=l("input",{type:"text",autocomplete:"off"});n.setAttribute("list",e);let o,r=0,a=async()=>{let c=++r,u=await t(s,n.value).catch(()=>[]);c===r&&i.replaceChildren(...u.slice(0,Ui).map(p=>new Option(p,p))),i.isConnected||n.after(i)},h=()=>{clearTimeout(o),o=setTimeout(a,zi)};return n.addEventListener("input",h),n.addEventListener("focus",h),n}var g=class extends Error{constructor(t,e){super(t),this.element=e}};function Q(s){if(s.draft)return s.draft();try{return s.read()}catch{return}}var xe={date:"date",time:"time","date-time":"datetime-local",email:"email",uri:"url",color:"color",password:"password"},Bi={email:"Enter an e-mail address",url:"Enter a whole address, such as https://example.com"},Dt=0;function X(s,t){let e=I(s,t.root);if("const"in e)return Oe(e);if(V(e,t.root))return Se(e,t);let i=me(e,t.root);if(i.length===1)return X({...i[0],...ge(e)},t);if(i.length>1)return Xi(e,i,t);let n=String(Y(e));return Object.hasOwn(ye,n)?ye[n](e,t):Z(e,S(e,t.name))}var ye={boolean:Gi,integer:ke,number:ke,string:Te,array:Yi,object:(s,t)=>s.properties?ct(s,t):Qi(s,t),null:()=>Oe({const:null})},S=(s,t)=>String(s.title??t),Ee=s=>"default"in s?s.default??"":z(s);function T(s,t,{name:e,required:i}){let n=s.id=`field-${++Dt}`;i&&(s.required=!0);let o=l("label",{htmlFor:n},S(t,e));i&&o.append(" ",l("span","required","required"));let r=t.description&&l("span",{id:`${n}-about`,class:"about"},t.description),a=l("span",{id:`${n}-problem`,class:"problem",role:"alert"});return s.setAttribute("aria-describedby",(r?r.id+" ":"")+a.id),l("div","field",o,s,r,a)}function Te(s,t){if(s.format==="picked-file"&&t.pick)return pe(s,t,t.pick);if(s.contentEncoding==="base64"||s.format==="byte")return ue(s,t);let e=Object.hasOwn(xe,s.format)?xe[s.format]:void 0,i=/time/.test(e??"")?"1":"",n=t.suggest?be(t.name,t.suggest):e?l("input",{type:e,step:i,...e==="password"&&{autocomplete:"off"}}):Wi();return n.placeholder=z(s),n.value=ve(Ee(s),e),{element:T(n,s,t),read:()=>{let o=n.value;if(o==="")return A(n,t);if(n.validity.typeMismatch)throw new g(Bi[n.type]??"This does not fit",n);return Ki(o,s,n),e==="datetime-local"?Ji(o):o},write:o=>n.value=o==null?"":ve(o,e)}}function Wi(){let s=l("textarea",{rows:1,class:"lines",title:"Shift+Enter starts a new line"});return s.addEventListener("keydown",t=>{t.key!=="Enter"||t.shiftKey||t.isComposing||(t.preventDefault(),!t.ctrlKey&&!t.metaKey&&s.form?.requestSubmit())}),s}function Ki(s,{minLength:t,maxLength:e,pattern:i},n){let o=[...s].length;if(t!==void 0&&o<t)throw new g(`At least ${t} characters`,n);if(e!==void 0&&o>e)throw new g(`At most ${e} characters`,n);if(i!==void 0&&!we(i,s))throw new g(`Must match ${i}`,n)}function Ji(s){let t=-new Date(s).getTimezoneOffset(),e=i=>String(Math.floor(Math.abs(i))).padStart(2,"0");return`${s}${s.length===16?":00":""}${t<0?"-":"+"}${e(t/60)}:${e(t%60)}`}function ve(s,t){let e=typeof s=="string"?s:JSON.stringify(s);return t==="datetime-local"?e.replace(/(?:Z|[+-]\d\d:\d\d)$/,""):e}function A(s,t){if(t.required)throw new g("Required",s)}function ke(s,t){let e=s.type==="integer",{minimum:i="",maximum:n=""}=s,o=l("input",{type:"number",step:e?"1":"any",min:i,max:n});return o.placeholder=z(s),o.value=Ee(s),{element:T(o,s,t),read:()=>{if(o.validity.badInput)throw new g("Enter a number",o);if(o.value==="")return A(o,t);let r=Number(o.value);if(e&&!Number.isInteger(r))throw new g("Enter a whole number",o);if(r<(s.minimum??-1/0))throw new g(`At least ${s.minimum}`,o);if(r>(s.maximum??1/0))throw new g(`At most ${s.maximum}`,o);return r},write:r=>o.value=r??""}}function Gi(s,t){if(!t.required&&s.default===void 0)return Se({...s,enum:[!0,!1]},t);let e=l("input",{type:"checkbox",checked:s.default===!0}),i=T(e,s,{...t,required:!1});return i.classList.add("check"),{element:i,read:()=>e.checked,write:n=>e.checked=n===!0}}function Se(s,t){let e=V(s,t.root)??[],i=l("select",{},(!t.required||s.default===void 0)&&new Option("\u2013",""));e.forEach(({title:o},r)=>i.append(new Option(o,String(r))));let n=o=>{let r=e.findIndex(a=>JSON.stringify(a.value)===JSON.stringify(o));i.value=r<0?"":String(r)};return n(s.default),{element:T(i,s,t),read:()=>i.value===""?A(i,t):e[Number(i.value)].value,write:n}}function Vi(s,t){let e=V(I(s.items,t.root),t.root)??[],i=e.map(({title:f})=>{let m=l("input",{type:"checkbox",id:`field-${++Dt}`});return{box:m,element:l("div","field check",l("label",{htmlFor:m.id},f),m)}}),n=`field-${++Dt}`,o=l("span",{id:`${n}-problem`,class:"problem",role:"alert"}),r=t.required&&l("span","required","required"),a=l("legend",{},S(s,t.name)," ",r),h=s.description&&l("span","about",s.description),c={id:n,class:"several",tabIndex:-1,"aria-describedby":o.id},u=l("fieldset",c,a,h,...i.map(f=>f.element),o),p=f=>i.forEach(({box:m},q)=>m.checked=Array.isArray(f)&&f.includes(e[q].value));return p(s.default),{element:u,read:()=>{let f=e.filter((O,G)=>i[G].box.checked).map(O=>O.value);if(f.length===0&&!t.required)return;let{minItems:m=0,maxItems:q=1/0}=s;if(f.length<m)throw new g(`Choose at least ${m}`,u);if(f.length>q)throw new g(`Choose at most ${q}`,u);return f},write:p}}var Oe=s=>({element:l("div",{hidden:!0}),read:()=>s.const,write:()=>{}});function zt(s,t){let e=l("div"),i=t&&l("legend",{},S(s,t)),n=t&&s.description&&l("span","about",s.description);return[l("fieldset",{},i,n,e),e]}function ct(s,t){let[e,i]=zt(s,t.name),n=new Map,o=()=>{for(let[d,f]of Object.entries(s.properties??{})){let m=(s.required??[]).includes(d),{root:q,depth:O,suggest:G,pick:Li}=t,de=X(f,{root:q,depth:O+1,name:d,required:m,suggest:G,pick:Li});n.set(d,de),i.append(de.element)}},r=!t.required&&t.name!==""&&(s.required??[]).length>0,a=t.depth>2||r,h=S(s,t.name),c=()=>{n.clear(),i.replaceChildren(lt(`Add ${h}`,u))},u=()=>{i.replaceChildren(),o(),i.append(lt(`Remove ${h}`,c)),Ae(i)};a?c():o();let p=d=>{let f=[...n].map(([O,G])=>[O,d(G)]),m=Object.fromEntries(f.filter(([,O])=>O!==void 0));return Object.keys(m).length===0&&!t.required&&t.name?void 0:m};return{element:e,read:()=>p(d=>d.read()),draft:()=>p(Q),find:d=>n.get(d)?.element.querySelector("input, select, textarea, fieldset[id]")??null,write:d=>{a&&d&&!n.size?u():a&&!d&&c();for(let[f,m]of n)m.write(Object.hasOwn(d??{},f)?d[f]:void 0)}}}var lt=(s,t,e=s)=>l("button",{type:"button",onclick:t,"aria-label":e},s),Ae=s=>s.querySelector("input, select, textarea, button")?.focus();function Ie(s,t,e){let i=S(s,t.name),[n,o]=zt(s,t.name),r=new Map,a=()=>{let d=e(r.size+1),f=()=>(r.delete(m),m.remove(),h.focus()),m=l("div","row",d.element,lt("\u2715",f,`Remove from ${i}`));return r.set(m,d),o.append(m),d},h=lt("Add",()=>Ae(a().element),`Add to ${i}`);return n.append(h),{element:n,read:()=>{let d=[...r.values()].map(f=>f.read());if(d.length<(s.minItems??0))throw new g(`At least ${s.minItems}`,n);return d.length||t.required?d:void 0},write:d=>{r.clear(),o.replaceChildren();for(let f of d)a().write(f)},draft:()=>{let d=[...r.values()].map(Q).filter(f=>f!==void 0);return d.length?d:void 0}}}function Yi(s,t){if(V(I(s.items,t.root),t.root))return Vi(s,t);let e=S(s,t.name);if(Y(I(s.items??{},t.root))==="array"||s.prefixItems)return Z(s,e,t);let n=Ie(s,t,r=>X(s.items??{},Ft(t,`${e} ${r}`))),o=r=>n.write(Array.isArray(r)?r:[]);return o(s.default),{...n,write:o}}var Ft=({root:s,depth:t,pick:e},i)=>({root:s,depth:t+1,name:i,required:!0,pick:e});function Qi(s,t){let e=s.additionalProperties;if(e===!1)return ct({...s,properties:{}},t);if(typeof e!="object")return Z(s,S(s,t.name),t);let i=Ie({...s,minItems:0},t,()=>{let a=Te({title:"Key"},Ft(t,"Key")),h=X(e,Ft(t,"Value"));return{element:l("div","pair",a.element,h.element),read:()=>[a.read(),h.read()],write:([c,u])=>(a.write(c),h.write(u))}}),n=()=>{let a=i.read();return a&&Object.fromEntries(a)},o=()=>Object.fromEntries((i.draft?.()??[]).filter(a=>a?.[0])),r=a=>i.write(Object.entries(a??{}));return r(s.default),{...i,read:n,write:r,draft:o}}function Xi(s,t,e){let[i,n]=zt(s,e.name),o=t.map((p,d)=>new Option(p.title??Y(p)??`choice ${d+1}`,String(d))),r=l("select",{"aria-label":`Kind of ${S(s,e.name)}`},...o),a=t.map(p=>X(p,{...e,depth:e.depth+1})),h=()=>n.replaceChildren(a[Number(r.value)].element);r.addEventListener("change",h),i.insertBefore(r,n),h();let c=p=>{let d=t.findIndex(f=>Zi(p,Y(f)));d>=0&&(r.value=String(d)),h(),a[Number(r.value)].write(p)};s.default!==void 0&&s.default!==null&&c(s.default);let u=()=>a[Number(r.value)];return{element:i,read:()=>u().read(),write:c,draft:()=>Q(u())}}function Zi(s,t){return t==="array"?Array.isArray(s):t==="integer"?Number.isInteger(s):t==="object"?typeof s=="object"&&s!==null&&!Array.isArray(s):typeof s===t}function Z(s,t,e){let i=l("textarea",{rows:2,spellcheck:!1,class:e?"code lines":"code tall"});return i.placeholder=z(s),i.value=s.default===void 0?z(s):JSON.stringify(s.default,null,2),{element:T(i,{...s,title:t},e??{root:s,depth:0,name:t}),read:()=>{if(!i.value.trim())return e?A(i,e):void 0;try{return JSON.parse(i.value)}catch(n){throw new g(`This is not JSON: ${n.message}`,i)}},write:n=>i.value=n===void 0?"":JSON.stringify(n,null,e?0:2)}}var dt=class{constructor(t,e,i){this.schema=t,this.body=ct(t,{root:t,depth:0,name:"",suggest:e,pick:i}),this.raw=Z({},"Arguments as JSON"),this.raw.element.hidden=!0,this.element=l("div","fields",this.body.element,this.raw.element)}get isRaw(){return!this.raw.element.hidden}setRaw(t){if(t===this.isRaw)return;Le(this.element);let e=t?Q(this.body)??{}:this.#t();this.raw.element.hidden=!t,this.body.element.hidden=t,this.write(e)}#t(){let t=this.read(),e=Object.keys(t).filter(o=>!Object.hasOwn(this.schema.properties??{},o));if(!e.length)return t;let i=this.raw.element.querySelector("textarea")??void 0,n=new g(`The form has no field for ${e.join(", ")}: remove it, or stay with JSON`,i);throw Ut(n),n}read(){Le(this.element);try{let t=(this.isRaw?this.raw:this.body).read()??{};if(typeof t!="object"||Array.isArray(t))throw new g("Arguments must be one JSON object");return t}catch(t){throw t instanceof g&&Ut(t),t}}refuse(t,e){let i=this.isRaw?null:this.body.find?.(t);return i&&Ut(new g(e,i)),!!i}write(t){(this.isRaw?this.raw:this.body).write(t)}};function Le(s){for(let t of s.querySelectorAll(".problem"))t.textContent="";for(let t of s.querySelectorAll("[aria-invalid]"))t.removeAttribute("aria-invalid")}function Ut({element:s,message:t}){if(!s)return;s.setAttribute("aria-invalid","true");let i=s.getRootNode().getElementById(`${s.id}-problem`);i&&(i.textContent=t),s.focus()}function ft(s){let t=typeof s=="string"&&URL.canParse(s)?new URL(s):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function ut(s){globalThis.open(s.href,"_blank","noopener,noreferrer")}var ts=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,Re=120;function es(s){let i=(String(s??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),n=/\.[^.]{1,16}$/.exec(i)?.[0]??"",o=i.length>Re?i.slice(0,Re-n.length).trimEnd()+n:i;return!o||ts.test(o)?`download${o&&"-"}${o}`:o}function Me(s,t){for(let e of s){let i=is(e);i?ss(i,es(e.name)):t?.(e)}}function is({text:s,blob:t,mimeType:e}){let i=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof s=="string")return new Blob([s],{type:i});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),n=>n.charCodeAt(0))],{type:i})}catch{return null}}function ss(s,t){let e=document.createElement("a");e.href=URL.createObjectURL(s),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var ns=0,U=class{#t=[];#e;#i;#s=!1;#n=null;#o;constructor(t,e,i){this.panel=t,this.stage=e,this.giveBack=i;let n=`cloche-question-${++ns}`;this.title=l("h2",{id:`${n}-title`}),this.text=l("p",{id:`${n}-text`}),this.details=l("pre",{tabIndex:0}),this.form=l("form",{class:"form",noValidate:!0}),this.problem=l("p",{class:"danger",role:"alert"}),this.time=l("span",{class:"time",role:"timer"}),this.refuse=l("button",{class:"refuse",onclick:()=>this.#g(!1)}),this.lasting=l("button","lasting"),this.accept=l("button","accept main");let o=l("div","row",this.time,l("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=l("div",a,this.title,this.text,this.details,this.problem,this.form,o),this.shade=l("div",{class:"shade",hidden:!0},this.box),this.#o=new ht(this.shade,this.box,[this.lasting,this.accept],h=>this.#m(h)),this.accept.addEventListener("click",h=>this.#o.counts(h)&&this.#h()),this.form.addEventListener("submit",h=>{h.preventDefault(),this.#o.counts(h)&&this.#h()}),this.form.addEventListener("input",()=>this.#l()),this.lasting.addEventListener("click",h=>this.#o.counts(h)&&this.#g("page")),this.shade.addEventListener("keydown",h=>this.#w(h)),t.append(this.shade)}ask(t,e,i=()=>{}){return new Promise(n=>{this.#t.push({key:t,question:e,resolve:n,seen:i}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(i=>i.key===t);if(e===0)this.dismiss();else if(e>0){let[{question:i,resolve:n}]=this.#t.splice(e,1);n(Ht(i))}}clear(){for(let{question:t,resolve:e}of this.#t.splice(1))e(Ht(t));this.dismiss()}dismiss(){this.#t.length>0&&this.#g(Ht(this.#t[0].question))}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=hs(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.problem.textContent=t.problem??"",this.problem.hidden=!t.problem,this.#a(t),this.#i=void 0,this.shade.hidden=!1,k.begin(this),this.#c(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#p(),250),this.#p()}#a({form:t,values:e}){this.#n=t?new dt(t):null,this.#n&&e&&this.#n.write(e),this.form.replaceChildren(...this.#n?[this.#n.element]:[]),this.form.hidden=!t}#h(){let{question:t}=this.#t[0];if(this.#n){try{this.#g({content:this.#n.read()})}catch(i){if(!(i instanceof g))throw i}return}let e=t.link?ft(t.link):null;e&&ut(e),this.#g(!0)}#l(){let t=this.#t[0];if(!t||this.#i===void 0)return;let e=performance.now()+Bt(t.question)*1e3;e-this.#i<os||(this.#i=e,t.seen())}#m(t){for(let i of[this.accept,this.lasting])i.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#i!==void 0||(this.#i=performance.now()+Bt(e.question)*1e3,e.seen())}#p(){if(this.#t.length===0)return;let t=Bt(this.#t[0].question),e=this.#i===void 0?t:(this.#i-performance.now())/1e3;if(e<=0)return this.#g(null);let i=Ne(this.#t[0].question)?"cancels":"means no";this.time.textContent=`No answer ${i}: ${String(Math.ceil(e)).padStart(String(t).length,as)} s`}#c(){let t=this.#d(),e=t.activeElement!==null;this.#s||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#d(){return this.panel.getRootNode()}#w(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.dismiss()):t.key==="Tab"&&this.#f(t)}#f(t){let e=[...this.form.querySelectorAll("input, select, textarea, button")].map(rs),i=[this.details,...e,this.refuse,this.lasting,this.accept].filter(a=>!a.closest("[hidden]")),n=this.#d(),o=i.findIndex(a=>a===n.activeElement),r=o<0?t.shiftKey?i.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),i[(r+i.length)%i.length].focus()}#g(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#u(),e?.resolve(t)}#u(){clearInterval(this.#e),this.#o.stop();let t=this.#d(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#s&&this.giveBack(),this.#s=!1,k.end(this)}},os=5e3,rs=s=>s,Ne=({form:s,link:t})=>s!==void 0||t!==void 0,Ht=s=>Ne(s)?"cancel":!1,as="\u2007",Bt=s=>s.seconds??30;function hs(s){if(s==null)return"";if(typeof s!="object")return String(s);let t=Object.entries(s).map(([e,i])=>[e,ls(i)]);return t.length===1?t[0][1]:t.map(([e,i])=>`${e}: ${i}`).join(`
`)}var ls=s=>typeof s=="string"?s:JSON.stringify(s)??"";var Ce=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var pt=Object.fromEntries(Ce.split(`
`).filter(s=>s.startsWith("  --")).map(s=>s.slice(2,-1).split(": ")));var _e=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
`;var mt;function gt(){return mt||(mt=new CSSStyleSheet,mt.replaceSync(_e.replaceAll(/var\((--[\w-]+)\)/g,(s,t)=>`var(${t}, ${pt[t]})`))),mt}var fs=300;function H(s){let t=s.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(s).colorScheme,i=document.querySelector("meta[name=color-scheme]"),n=(e==="normal"?i?.content??"":e).split(" "),[o,r]=[n.includes("light"),n.includes("dark")];return o&&r?qe().matches?"dark":"light":o||r?r?"dark":"light":ps(us(s))?"dark":"light"}var qe=()=>matchMedia("(prefers-color-scheme: dark)");function us(s){for(let t=s;t;t=ot(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function ps(s){let[t,e]=s.split("("),[i,n,o]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return i/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*i+.587*n+.114*o)/r<.5}function ms(s){let t=getComputedStyle(s);return Object.fromEntries(Object.entries(pt).map(([e,i])=>{let n=t.getPropertyValue(e).trim();return[e,n&&n.length<=fs?n:i]}))}function wt(s,{displayMode:t,width:e,height:i}){return{theme:H(s),styles:{variables:ms(s)},displayMode:t,containerDimensions:i===void 0?{width:e}:{width:e,height:i},locale:s.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function Pe(s,t){let e=Object.entries(t).filter(([i,n])=>JSON.stringify(n)!==JSON.stringify(s[i]));return Object.fromEntries(e)}function bt(s){let t=new MutationObserver(s);for(let i of[document.documentElement,document.body])t.observe(i,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=qe();return e.addEventListener("change",s),()=>{t.disconnect(),e.removeEventListener("change",s)}}var Wt=class{stopWatching=()=>{};#t=new Map;constructor(){this.host=l("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[gt()],this.panel=l("dialog","over");let e=l("div");t.append(this.panel),this.dialog=new U(this.panel,e,()=>{});for(let i of["role","aria-modal","aria-labelledby","aria-describedby"])this.panel.setAttribute(i,this.dialog.box.getAttribute(i)??""),this.dialog.box.removeAttribute(i);this.panel.addEventListener("cancel",i=>{i.preventDefault(),this.dialog.dismiss()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}ask(t,e,i=()=>{},n={}){let o=this.#t.get(t),r=o?.seen??new Map;if(r.set(n,i),o)return o.said;let a=this.#e(t,e,()=>r.forEach(h=>h()));return this.#t.set(t,{said:a,seen:r}),a}async#e(t,e,i){this.host.isConnected||document.body.append(this.host);let n=this.dialog.ask(t,e,i);this.panel.open||(this.#i(),this.stopWatching=bt(()=>this.#i()),this.panel.showModal(),this.dialog.box.focus());let o=await n;return this.#t.delete(t),this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),o}unask(t){this.dialog.unask(t)}forget(t){for(let[e,{seen:i}]of[...this.#t])i.delete(t)&&i.size===0&&this.unask(e)}#i(){this.panel.style.colorScheme=H(document.body)}},$e,y=()=>$e??=new Wt,L=s=>$e?.forget(s);var xt=class{#t=null;#e=[];#i=0;#s=0;#n=0;#o=!1;#r=!1;#a;#h=[];constructor(t,e,i,n){this.socket=t,this.view=e,this.opening=i,this.handlers=n}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#s})}else this.#e=[],this.#i=this.#s=this.#n=0,this.#o=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#o=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let i=++this.#i;return this.#e.push({n:i,frame:t}),this.#e.length>2e3?this.#u("overflow","The host did not answer for too long."):this.#o&&this.socket.send({...t,view:this.view,n:i}),!0}async ask(t,e,i){let n=o=>this.#r||this.send({answer:e,value:o});n(await t.ask(e,i,()=>n("seen"),this))}close(){this.#r||(this.#r=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#r||(t.mount?this.#l(t.mount):t.error?this.#u(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#m(t.resumed):t.got!==void 0?this.#p(t.got):t.n===this.#s+1&&this.#c(t))}#l(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#m(t){this.#p(t),this.#o=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#p(t){let e=this.#e.findIndex(i=>i.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#c(t){if(this.#s=t.n,this.#s-this.#n>=32?this.#d():this.#a??=setTimeout(()=>this.#d(),1e3),t.body===void 0)return this.#w(t);let e=this.#g(t.body);t.free?e.then(i=>this.#r||this.handlers.frame(i),()=>{}):this.#w(e)}#d(){clearTimeout(this.#a),this.#a=void 0,!(this.#r||!this.#o)&&(this.#n=this.#s,this.socket.send({view:this.view,got:this.#s}))}#w(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#f()}async#f(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#r)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#g(t){try{return{bytes:await je(new URL(t,this.socket.base).href)}}catch(e){throw this.#u("body",e instanceof Error?e.message:String(e)),e}}#u(t,e){this.#r||(this.close(),this.handlers.failed(t,e))}},gs=4,ws=500;async function je(s){for(let t=1;;t++){try{let e=await fetch(s,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=gs)throw e}await new Promise(e=>setTimeout(e,ws*2**(t-1)))}}var yt=async s=>new TextDecoder().decode(await je(s));var b=new URL(".",import.meta.url).href,bs="cloche.1",xs=250,ys=1e4,vs=1e3,De=new Map;function E(s){let t=De.get(s)??new Kt(s);return De.set(s,t),t}var Kt=class{#t=new Map;#e=0;#i=null;#s=0;#n;constructor(t){this.base=t;let e=()=>{this.#n!==void 0&&!document.hidden&&this.#r()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:i})=>{if(!i&&this.isOpen)for(let n of this.#t.keys())this.send({close:n})})}get isOpen(){return this.#i?.readyState===WebSocket.OPEN}open(t,e){let i=new xt(this,++this.#e,t,e);return this.#t.set(i.view,i),this.isOpen?i.connected():!this.#i&&this.#n===void 0&&this.#r(),i}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#o(),vs)}send(t){this.isOpen&&this.#i?.send(JSON.stringify(t))}#o(){clearTimeout(this.#n),this.#n=void 0;let t=this.#i;this.#i=null,t?.close(1e3)}#r(){clearTimeout(this.#n),this.#n=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),bs);this.#i=t,t.onopen=()=>{this.#s=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#i===t&&this.#a(e)}#a(t){if(this.#i=null,this.#t.size===0)return;this.#s+=1;for(let i of[...this.#t.values()])i.disconnected(this.#s,t.reason);let e=Math.min(ys,xs*2**(this.#s-1));this.#n=setTimeout(()=>this.#r(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var Fe=(s={},t={})=>({readOnlyHint:s.readOnlyHint===!0,untrustedContentHint:s.openWorldHint!==!1,consequentialHint:s.readOnlyHint!==!0&&(s.destructiveHint===!0||t.confirmRequired===!0)});var ze=s=>Array.isArray(s)?s.map(t=>typeof t?.text=="string"?t.text:"").join(`
`).trim():"";function Ue({structuredContent:s,content:t,isError:e}={}){if(e)throw new Error(ze(t)||"The tool failed");return s!==void 0?s:Array.isArray(t)&&t.every(n=>n?.type==="text")?ze(t):t}var He=new URL("webmcp.js",b).href,vt=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;#e=new Map;#i=new Map;#s=0;#n=Promise.resolve();connectedCallback(){this.style.display="none",this.#o()}disconnectedCallback(){this.#c("The page offers its tools no longer"),this.#d("idle")}attributeChangedCallback(){this.isConnected&&(this.#c("The page has another ticket"),this.#o())}get tools(){return[...this.#e.keys()]}#o(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#d("connecting");let e=!1,i=this.#t=E(b).open(()=>({agents:t}),{mounted:()=>{e=!0,this.#d("ready")},frame:n=>this.#r(i,n),failed:(n,o)=>{if(n!=="unreachable"){if(this.#c(o),n==="gone"&&e)return this.#o();this.#p(n,o)}}})}#r(t,e){e.ask!==void 0?t.ask(y(),e.ask,e.question):e.unask!==void 0?y().unask(e.unask):e.bytes?this.#m(JSON.parse(new TextDecoder().decode(e.bytes))):e.message?this.#m(e.message):e.do==="tools"&&(this.#n=this.#n.then(()=>this.#a(t,e.tools)))}async#a(t,e){if("modelContext"in document||await ks(),this.#t!==t)return;let i=document.modelContext;if(!i)return this.#p("insecure",`This page has no document.modelContext: serve it by https, and let ${He} load`);let n=new Map(e.map(({name:o,version:r})=>[o,r]));for(let[o,{version:r,over:a}]of[...this.#e])n.get(o)!==r&&(this.#e.delete(o),a.abort());for(let o of e)this.#e.has(o.name)||await this.#h(i,o);this.dispatchEvent(new Event("toolschange"))}async#h(t,{annotations:e,version:i,...n}){let o=new AbortController,r=(a,h)=>this.#l({name:n.name,arguments:a,version:i},h?.signal);this.#e.set(n.name,{version:i,over:o});try{await t.registerTool({...n,annotations:Fe(e),execute:r},{signal:o.signal})}catch(a){this.#e.get(n.name)?.over===o&&this.#e.delete(n.name),o.signal.aborted||console.warn(`The tool ${n.name} is not offered to agents: ${a}`)}}async#l(t,e){let i=++this.#s,n=await new Promise((o,r)=>{if(e?.throwIfAborted(),!this.#t?.send({message:{jsonrpc:"2.0",id:i,method:"tools/call",params:t}}))throw new Error(this.#t?"The arguments are longer than the host takes":"The page offers it no longer");this.#i.set(i,{resolve:o,reject:r}),e?.addEventListener("abort",()=>{if(!this.#i.delete(i))return;r(e.reason);let a={jsonrpc:"2.0",method:"notifications/cancelled",params:{requestId:i}};this.#t?.send({message:a})})});return Ue(n)}#m({id:t,result:e,error:i}){let n=this.#i.get(t);this.#i.delete(t),i?n?.reject(new Error(String(i.message))):n?.resolve(e)}#p(t,e){this.#c(e),this.error={code:t,message:e},this.#d("error")}#c(t){for(let{over:e}of this.#e.values())e.abort();this.#e.clear();for(let{reject:e}of this.#i.values())e(new Error(t));this.#i.clear(),this.#t&&L(this.#t),this.#t?.close(),this.#t=null}#d(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}},ks=()=>new Promise(s=>document.head.append(l("script",{src:He,onload:s,onerror:s})));customElements.get("mcp-tools")||customElements.define("mcp-tools",vt);var Be="2025-11-25",We="2026-01-26",Ke=["2026-01-26","2025-11-21"];var w=s=>({}).toString.call(s)=="[object Object]",et=s=>w(s)||Array.isArray(s)||Object(s)!==s&&typeof s!="bigint",P=(s,t,e=[],i=0)=>t(s)&&(Object(s)!==s||i<256&&Object.keys(s).every(n=>(e.splice(i,256,n),n!="__proto__"&&P(s[n],t,e,i+1))));var kt=class{#t=new Map;#e=new Map;#i=[];#s=!1;#n=null;#o=new Map;pressed(t){t.repeat&&!this.#r(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#s=t.shiftKey,this.#l(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#r(t)||this.#a(t),this.#t.delete(t.code),this.#s=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#h(t,e))}suspect(t,e,i){let n=performance.now(),o=n+1e3;this.#o.set(t,{until:o,taken:i}),this.#n={at:n,until:o,field:e,isShifted:this.#s}}acquit(t){this.#o.delete(t),this.#o.size===0&&(this.#n=null)}doubt(t){return Math.max(0,(this.#o.get(t)?.until??0)-performance.now())}#r({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#n;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:i,code:n,shiftKey:o,altKey:r,ctrlKey:a,metaKey:h,isComposing:c}=t;if(!(i.length>1&&i!=="Backspace"||r||a||h||c)){this.#e.set(n,t.timeStamp),o===e.isShifted&&this.#h({key:i,code:n,at:e.at,types:!0},e.field);for(let[u,{until:p,taken:d}]of this.#o)this.#o.delete(u),performance.now()<p&&d()}}#h({key:t,code:e,at:i},n){if(!n?.isConnected)return;let o=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!n.dispatchEvent(o))return;let r=n;if(t==="Enter"&&n.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,h=r.value?.length,u=this.#i.filter(f=>f.field===n&&f.at>i).reduce((f,{step:m})=>f+m,0),p=u>0?0:Number(r.selectionEnd)-Number(a);a!==null&&u>0&&r.setSelectionRange(a-u,a-u),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||Je(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let d=t==="Delete"?a:Number(a)+r.value?.length-h+p;a!==null&&r.setSelectionRange(d,d),this.#l(n,t,i)}#l(t,e,i){this.#i=[...this.#i.filter(n=>performance.now()-n.at<3e4),{field:t,at:i,step:Je(e)}]}};function Je(s){return s==="Backspace"?-1:[...s].length===1?s.length:0}var Es=3,Ts=6e4,Ss=300,Os=500,As=100,Ge=1e3,Is=250,Ve=20,Ls="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Rs="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",Gt=class{#t=new Map;#e=null;#i=null;#s=-1/0;#n=-1/0;#o=!1;#r=null;#a=null;#h=!1;#l=new kt;#m;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1}),this.#h||this.#p()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#i!==t?this.#E(t,this.#e):this.#i=null,this.#S(e,this.#e))}holdBack(t,e){let i=e&&this.isWriting;return Math.max(i||this.#y()?Is:0,this.#l.doubt(t))}get isWriting(){return Qe(this.#i===null&&this.#x()?this.#e:Et())}give(t){this.#a=t,t.focus({preventScroll:!0})}pressed(t,e){let i=this.#t.get(t);!i||this.#i!==null||this.#o||e.at<i.hadUntil||(i.keys.push(e),this.#k(t,i))}#p(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#c(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#f()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#s=e.timeStamp)},t),addEventListener("keydown",e=>this.#g(e),t),addEventListener("keyup",e=>this.#l.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#u(),t),this.#e=Et()}#c(t){this.#r=this.#a=null;let[e]=t.composedPath(),i=this.#o&&e===this.#e;this.#o=!1,e instanceof HTMLElement&&!i&&this.#d(e)}#d(t){this.#e=t,this.#s=performance.now(),this.#w();for(let e of this.#t.values())e.sandbox.ask().then(i=>e.wasActive=i.isActive)}#w(){let t=this.#i&&this.#t.get(this.#i);t&&(t.hadUntil=performance.now()),this.#i=null}#f(){Et()===null&&document.hasFocus()&&this.#d(null)}#g(t){t.isTrusted&&(this.#w(),this.#s=t.timeStamp,this.#l.pressed(t),this.#r=t.key==="Tab"?t:null,!this.#r&&!t.ctrlKey&&!t.metaKey&&(this.#n=performance.now()))}#u(t=0){clearTimeout(this.#m);let e=this.#x();this.#o=!e&&t===Ve,!e&&!document.hasFocus()&&t<Ve&&(this.#m=setTimeout(()=>this.#u(t+1),t));let i=e&&this.#t.get(e);i&&this.#k(e,i)}#x(){return[...this.#t.keys()].find(t=>Ye(t).activeElement===t)}#v(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:i,defaultPrevented:n}=this.#r??{timeStamp:-1/0,defaultPrevented:!0},o=!n&&performance.now()-i<Os;return e||o||this.#e===null||!this.#e.isConnected}#y(){return this.#e?.isConnected===!0&&this.#e.matches(Ls)}#b(t,e){this.#i=t,e.keys=[]}async#k(t,e){if(this.#v(t))return this.#b(t,e);let i=this.#e,n=this.#s,o=this.#y(),r=t.closest("[inert]")!==null,a=performance.now()-this.#n<Ss;this.#l.suspect(t,i,e.sandbox.stolen);let h=setTimeout(()=>this.#E(t,i),a||r?0:As),c=await(r?Jt(0):Promise.race([e.sandbox.ask(),Jt(Ge)]));clearTimeout(h);let u=c?.isKnown===!1&&c.isActive&&!e.wasActive&&!a,p=c!==null&&(c.pointedAt>n||u);if(this.#t.get(t)===e){if(!p)return this.#T(t,e,i,o,c!==null);this.#l.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:d})=>d>this.#s),this.#s===n&&(this.#b(t,e),Et()===i&&e.sandbox.focus())}}async#T(t,e,i,n,o){if(this.#E(t,i),o&&await Promise.race([e.sandbox.ask(),Jt(Ge)]),this.#t.get(t)!==e)return;let r=performance.now();e.thefts=[...e.thefts.filter(h=>r-h<Ts),r],(this.#S(e,i)||n||e.thefts.length>=Es)&&e.sandbox.stolen()}#E(t,e){if(Ye(t).activeElement!==t)return;let i=this.#s;t.blur(),e?.focus({preventScroll:!0}),this.#s=i}#S(t,e){let i=t.keys.splice(0);for(let n of i)this.#l.reported(n,Qe(e)?e:null);return i.length>0}};function Jt(s){return new Promise(t=>setTimeout(t,s,null))}function Ye(s){return s.getRootNode()}function Qe(s){return s!==null&&(s.isContentEditable||s.matches(Rs))}function Et(){let s=document.activeElement;for(;s?.shadowRoot?.activeElement;)s=s.shadowRoot.activeElement;return s instanceof HTMLElement&&s!==document.body?s:null}var Ms=globalThis,Ns=Symbol.for("cloche.keyboard"),R=Ms[Ns]??=new Gt;var x=class extends Error{constructor(t,e,i){super(e),this.code=t,this.data=i}},j=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),it=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,i){return i?i.reason:new x(-32001,t+": no answer")}request(t,e={},{id:i=j(),timeout:n=6e4,signal:o,onProgress:r,transfer:a}={}){let h,c;return new Promise((u,p)=>{if(c=f=>{let m=this.unanswered(t,i,f&&o);p(m),this.notify("notifications/cancelled",{requestId:i,reason:String(m)})},o?.aborted)throw this.unanswered(t,i,o);o?.addEventListener("abort",c);let d=()=>{clearTimeout(h),h=n&&setTimeout(c,n)};this.pending.set(i,{resolve:u,reject:p,progress:f=>(d(),r?.(f))}),d(),r&&(e={...e,_meta:{...e._meta,progressToken:i}}),this.post({id:i,method:t,params:e},a)}).finally(()=>{this.pending.delete(i),clearTimeout(h),o?.removeEventListener("abort",c)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:i,result:n,error:o}){let r=this.pending.get(e?e=="notifications/progress"&&i?.progressToken:t);return e?r?.progress(i):o?r?.reject(Object.assign(new x,o)):r?.resolve(n),r}async answer({id:t,method:e,params:i},n){i??={},e=="notifications/cancelled"&&this.running.get(i.requestId)?.abort(i.reason);let o=n(e);if(t==null)return o?.(i);let r=new AbortController;this.running.set(t,r);let a=h=>r.signal.aborted||this.post({id:t,...h});try{if(!o)throw new x(-32601,"Not available: "+e);a({result:await o(i,r.signal,t)??{}})}catch(h){a({error:{code:+h?.code||-32603,message:String(h?.message??h),data:h?.data}})}finally{this.running.delete(t)}}},Tt=class extends it{constructor(t,e,i){super(),this.send=t,this.find=e,this.onerror=i}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:i,params:n={},result:o,error:r}=t;if(P(t,et)&&!w(e)&&w(i?n:r??(o===void 0||{})))return this.settle(t)||i&&this.answer(t,this.find);let a=new x(-32600,"Invalid message");this.onerror(a),i||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(i,n)=>{if(et(n)||typeof n=="function")return n;throw new x(-32600,i+" is not JSON")});this.send(JSON.parse(e))}};var Ps=1e4,$s,js=10,Ds,Ze=()=>Ds??=Fs();function Fs(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let s=document.createElement("iframe");s.style.display="none",document.body.append(s);let t=s.contentDocument;for(let e=1;t?.body&&e<js;e++){let i=t.createElement("iframe");t.body.append(i),t=i.contentDocument}return s.remove(),!t?.body}var Vt=(s,t=document.body)=>$s??=zs(s,t),Xe=!1;async function ti(s,t){return Xe?!1:(Xe=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),Vt(s,t))}function zs({url:s,origin:t},e){let i=j(),n=document.createElement("iframe");return n.setAttribute("sandbox","allow-scripts allow-same-origin"),n.style.display="none",n.src=`${s}#${i}`,new Promise(o=>{let r=c=>{clearTimeout(h),removeEventListener("message",a),n.remove(),o(c)},a=({source:c,origin:u,data:p})=>{c!==null&&c===n.contentWindow&&u===t&&p?.nonce===i&&r(p.leaky!==!1)},h=setTimeout(()=>r(!0),Ps);addEventListener("message",a),e.append(n)})}var ei=s=>"Request "+s+" timed out",ii=s=>"Request "+s+" was cancelled",si=()=>"Transport is closed",ni=()=>"This id is in use by a request that is not answered yet";var D={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},Hs=4;function st(s,{bytes:t,depth:e}){let i=[],n=t,o="";return P(s,a=>{let h=i.at(-1)??"",c=typeof a=="string"?a:"";return n-=Hs+h.length+c.length+(Array.isArray(a)?a.length:0),n<0?o="is too large":c.isWellFormed()?Object(a)===a&&i.length>=e?o="is nested too deeply":(!et(a)||typeof a=="symbol"||!h.isWellFormed())&&(o="is not JSON"):o="holds half a character",!o},i)?null:o||"is not JSON"}function N(s){return typeof s=="object"&&!Array.isArray(s)&&s?.jsonrpc==="2.0"}var M=class{constructor(t,e,i=()=>performance.now()){this.rate=t,this.burst=e,this.now=i,this.left=e,this.last=i()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},St=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new M(t.rate,t.burst,e),this.patience=new M(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=st(t,this.limits);return e?this.#e(t,-32600,"The message "+e):N(t)?oi(t)?this.#t.has(t.id)?this.#e(t,-32600,ni()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,i){return oi(t)?{code:e,message:i}:"drop"}},oi=s=>typeof s?.method=="string"&&/^(string|number)$/.test(typeof s.id);var Bs=20,Ws=5,Yt=new Map;function ri(s,t,e){return s?(addEventListener("message",Ks,{capture:!0}),Yt.set(s,{bucket:new M(Ws,Bs),count:0,proxy:t,flooded:e}),()=>{Yt.delete(s)}):()=>{}}function Ks(s){if(s.isTrusted&&s.source===null&&s.origin==="null")return s.stopImmediatePropagation();let t=Js(s.source),e=t&&Yt.get(t);e&&(s.source!==e.proxy()&&s.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function Js(s){let t=s&&"parent"in s?s:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ai="ui/notifications/sandbox-",Gs="allow-scripts allow-same-origin allow-forms",Qt=2e4,Vs=5e3,Ys=5e3,Qs=1e4,li=10,Xs=30,hi=Qs/li,Zs=250,tn=.25,B=class{#t=j();#e=0;#i=0;#s=!1;#n=Xs;#o=!1;#r=0;#a=[];#h=!1;#l=()=>{};#m=new Map;#p=0;#c=-1/0;#d=1/0;#w=[-1/0,1/0];#f=null;#g;constructor(t,e){this.options=t,this.bucket=new M(2*t.limits.rate,2*t.limits.burst),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",Gs),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!en(this.options.sandbox))return this.#u("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#b),document.addEventListener("securitypolicyviolation",this.#y),this.element.addEventListener("load",()=>this.#v()),this.#x(Qt),t.append(this.element),R.watch(this.element,{ask:()=>this.#A(),focus:()=>this.focus(),release:()=>this.#_(),stolen:()=>this.#u("focus")})}get isOver(){return this.#o}show(t,e,i){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:i}),this.#f&&(this.#x(Qt),this.#S(e))}post(t){this.#f?.postMessage({message:t})}postBytes(t){this.#f?.postMessage({bytes:t},[t])}setTheme(t){this.#f?.postMessage({theme:t})}focus(){R.give(this.element),this.#f?.postMessage({focus:!0})}remove(){this.#o=!0,clearTimeout(this.#g),this.#l(),R.unwatch(this.element),removeEventListener("message",this.#b),document.removeEventListener("securitypolicyviolation",this.#y),this.#f?.close(),this.#f=null,this.element.remove()}#u(t,e){this.#o||(this.remove(),this.handlers.ended(t,e))}#x(t){clearTimeout(this.#g),this.#g=setTimeout(()=>this.#u("silent"),t)}#v(){if(this.#e+=1,this.#e>1)return this.#u("navigated");this.#T(),!(this.#f||this.#o)&&this.#x(Vs)}#y=({effectiveDirective:t,blockedURI:e})=>{let{origin:i}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(i)&&this.#u("blocked")};#b=t=>{if(!this.#k(t))return;removeEventListener("message",this.#b),this.#T();let{html:e}=this.options;e?this.#x(Qt):clearTimeout(this.#g);let i=new MessageChannel;this.#f=i.port1,this.#f.onmessage=({data:r})=>this.#N(r);let n={nonce:this.#t},o={jsonrpc:"2.0",method:ai+"port",params:n};this.#E()?.postMessage(o,this.options.sandbox.origin,[i.port2]),e&&this.#S(e)};#k({source:t,origin:e,data:i}){return i?.method===ai+"proxy-ready"&&i.params?.nonce===this.#t&&e===this.options.sandbox.origin&&t!==null&&t===this.#E()}#T(){this.#l();let t=e=>this.#u("flood",{count:e});this.#l=ri(this.element.contentWindow,()=>this.#E(),t)}#E(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#S(t){let{frame:e,limits:i,theme:n}=this.options;try{let o=await t;clearTimeout(this.#g),this.setTheme(n);let r=!e.framed&&Ze();this.#f?.postMessage({html:o,frame:e,limits:i,deep:r}),this.#o||this.#I()}catch(o){this.#u("html",o)}}#A(){if(!this.#f)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#p,e=performance.now();return this.#f.postMessage({question:t}),new Promise(i=>this.#m.set(t,{at:e,told:i}))}#R({question:t,now:e,timeOrigin:i,isActive:n}){let o=this.#m.get(t);if(this.#m.delete(t),o&&typeof e=="number"){let[a,h]=this.#w;this.#w=[Math.max(a,e-performance.now()),Math.min(h,e-o.at)],this.#d=Math.min(Math.max(performance.timeOrigin-i,this.#w[0]),this.#w[1])}let r=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#c-this.#d,isActive:n===!0,isKnown:r})}#M({pointedAt:t,typedAt:e,key:i,code:n,types:o}){typeof t=="number"&&(this.#c=Math.max(this.#c,t)),!(typeof i!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&R.pressed(this.element,{key:i,code:String(n),types:o===!0,at:Number(e)-this.#d})}#I(){this.#s=!1,this.#f?.postMessage({ping:++this.#i}),this.#L(0)}#L(t){let e=performance.now()+hi;this.#g=setTimeout(()=>{if(this.#s)return void(this.#g=setTimeout(()=>this.#I(),Ys));let i=t+(performance.now()-e>Zs?tn:1);i>=this.#n?this.#u("unresponsive"):this.#L(i)},hi)}#N(t){if(!this.bucket.take())return this.#u("flood",{count:2*this.options.limits.burst});this.#o||t===null||typeof t!="object"||(this.#s=!0,t.event==="navigated"||t.event==="flood"?this.#u(t.event,{count:Number(t.count)}):t.event==="told"?this.#R(t):t.event==="pressed"?this.#M(t):typeof t.event=="string"?this.#q(t):"message"in t&&this.#C(t))}#C({message:t,gesture:e,hasFocus:i}){let n=performance.now();this.#r=Math.max(this.#r,n+R.holdBack(this.element,i===!0)),this.#a.push({message:t,gesture:e,until:this.#r}),this.#h||this.#O()}#_(){this.#r=0;for(let t of this.#a)t.until=0;this.#O()}#O(){for(this.#h=!1;!this.#o&&this.#a.length>0;){let t=Math.ceil(this.#a[0].until-performance.now());if(t>0){this.#h=!0,setTimeout(()=>this.#O(),t);return}let[{message:e,gesture:i}]=this.#a.splice(0,1);this.handlers.message(e,i)}}#q(t){t.event==="loaded"&&(this.#n=li,this.#A()),this.handlers.event(t)}};function en({url:s,origin:t,around:e=t}){let i=URL.canParse(s)?new URL(s):null;return(i?.protocol==="https:"||i?.protocol==="http:")&&i.origin===e&&![t,e].includes(location.origin)}var ci={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var di={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},fi={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var nn=new Map([...Object.entries(ci).map(([s,t])=>[t,s]),...Object.entries(fi)]);function Ot({method:s}){return nn.get(s)??s}function At({initialize:s,limits:t,profile:e},i,n){let o={...i.containerDimensions};o.height===void 0&&t?.maxHeight&&(o.maxHeight=t.maxHeight);let r={...s.hostContext,...i,containerDimensions:o},a={...s,hostContext:r};return Ke.includes(n.protocolVersion)||(a.hostCapabilities=on(s)),e?rn(a,e):a}function on({hostCapabilities:s,hostContext:t}){let e=Object.entries(di).filter(([,i])=>i in s);return{...s,...Object.fromEntries(e.map(([i])=>[i,!0])),displayModes:t.availableDisplayModes??["inline"]}}function rn({hostContext:s,...t},{context:e,withoutContext:i,omits:n}){let o=(r,a)=>Object.fromEntries(Object.entries(r).filter(([h])=>!a.includes(h)));return o({...t,hostContext:{...o(s,i),...e}},n)}var an={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},It=class{#t=!1;#e;#i;#s=[];constructor(t,e,i,n){this.packet=t,this.channel=e,this.stage=i,this.limits={...D,...t.limits},this.methods=new Set(t.methods??[]),this.#i=t.first??[],this.handlers={message:(o,r)=>this.#m(o,r),event:o=>this.#l(o),ended:(o,r)=>this.#a(o,r)},this.frame=n??this.#n(),this.frame.element.title=t.title||t.tool||"App"}#n(){let{sandbox:t,frame:e}=this.packet,i=yt(new URL(this.packet.html,this.channel.socket.base).href);i.catch(()=>{});let{theme:n}=this.stage.context();return new B({sandbox:t,frame:e,limits:this.limits,theme:n,html:i},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#r(t.message)||this.frame.post(t.message):this.stage.act(t)}#o(){for(let t of this.#i.splice(0))this.#s.push(JSON.stringify(t)),this.frame.post(t)}#r(t){return this.#s.length>0&&this.#s[0]===JSON.stringify(t)&&this.#s.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:an[t]}#l(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();ln.includes(t.event)&&this.channel.send(dn(t))}#m(t,e){if(st(t,this.limits)||!N(t))return;let i=Ot(t);if(i==="ui/initialize"&&t.id!==void 0)return this.#p(t);if(i==="ping"&&t.id!==void 0)return this.#w(t.id,{});if(i==="ui/notifications/initialized")return this.report("initialized"),this.#o();if(i==="ui/notifications/size-changed")return this.#c(t.params??{});if(t.id!==void 0&&typeof i=="string"&&!this.methods.has(i))return this.#f(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let n=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...n})&&t.id!==void 0&&this.#f(t.id,-32600,"The message is too large")}#p({id:t,params:e={}}){this.#w(t,At(this.packet,this.stage.context(),e)),this.greeted(e)}greeted(t){this.#t||this.report("initialize",{params:t,context:this.stage.context()}),this.#t=!0,this.stage.shown()}#c(t){let e=this.#e!==void 0;this.#d={...e?this.#d:{},...Xt(t,this.limits.maxHeight)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#d),this.report("size",this.#d)}))}#d={};#w(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#f(t,e,i){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:i}})}},hn=1e4;function Xt(s,t=6e3){let e={},i={width:hn,height:t};for(let n of["width","height"]){let o=s?.[n];typeof o=="number"&&o>=0&&(e[n]=Math.min(Math.ceil(o),i[n]))}return e}var ln=["violation","error","console"],cn=["event","message","directive","blocked","level"];function dn(s){let t=cn.filter(i=>typeof s[i]=="string"),e=Number.isSafeInteger(s.line)&&s.line>0?{line:s.line}:{};return{...Object.fromEntries(t.map(i=>[i,s[i].slice(0,500).toWellFormed()])),...e}}var fn="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",ui=1e3,pi=-1/0,Lt=new Map,Zt=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=yt(new URL(t.html,b).href)}frame(t,e,i){let{sandbox:n,frame:o}=this.packet,r={...D,...this.packet.limits};return new B({sandbox:n,frame:o,limits:r,html:t,theme:e},i)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new W(this),this.#t.frame.start(this.root))}show(t,e){let i=this.#t;this.#t=void 0;let n=i&&!i.frame.isOver&&t.getRootNode({composed:!0})===document,o=n?i:new W(this,this.html,e);return n?o.frame.show(t,this.html,e):o.frame.start(t),o}shown(){pi=performance.now(),this.#i(ui)}#i(t){setTimeout(()=>{let e=pi+ui-performance.now();e>0?this.#i(e):this.renew()},t)}greeting(t){let[e,i]=t.split(/ (.*)/s),n=this.packet.greetings??{};if(!Object.hasOwn(n,i??""))return null;let o=n[i],{toolInfo:r}=o.hostContext;return r?{...o,hostContext:{...o.hostContext,toolInfo:{...r,id:e}}}:o}remove(){this.#e=!0,this.#t?.frame.remove()}},W=class{context=null;#t=null;#e=null;height;#i=[];#s;constructor(t,e,i="light"){this.view=t,this.frame=t.frame(e,i,{message:(n,o)=>{!this.#s&&this.#n(n)||this.#r(({handlers:r})=>r.message(n,o))},event:n=>{n.event==="loaded"&&t.shown(),this.#r(({handlers:o})=>o.event(n))},ended:(n,o)=>this.#r(({handlers:r})=>r.ended(n,o))})}static open(t,e,i,n){let o=Lt.get(t??"");if(!o?.packet.early)return null;let r=o.show(e,i);return r.#e=n,r}fits({early:t,initialize:e}){let i=!this.#t||JSON.stringify(this.#t)===JSON.stringify(e);return this.view.packet.early===t&&i}#n(t){let{limits:e}=this.frame.options;if(!this.#e||st(t,e)||!N(t))return!1;let i=Ot(t),n=t.params??{};if(i==="ui/notifications/size-changed"&&this.#o(n,e),i!=="ui/initialize"||t.id===void 0||this.#t)return!1;let o=this.view.greeting(this.#e.call);if(!o)return!1;this.#t=o,this.context=this.#e.context();let r=At({...this.view.packet,initialize:o},this.context,n);return this.frame.post({jsonrpc:"2.0",id:t.id,result:r}),this.#r(a=>a.greeted(n)),!0}#o(t,e){let{height:i}=Xt(t,e.maxHeight);i!==void 0&&(this.height=i,this.#e?.resized(i))}#r(t){this.#s?t(this.#s):this.#i.push(t)}handOver(t){this.#s=t;for(let e of this.#i.splice(0))e(t)}},Rt=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#i=[];#s;#n=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=fn,this.#e=E(b).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#r(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#s&&this.#o(this.#s);for(let t of this.#i.splice(0))t.remove();this.#e?.close(),this.#e=null}#o(t){t.remove(),Lt.get(t.packet.view)===t&&Lt.delete(t.packet.view)}#r(t){let e=this.#s=new Zt(t,this.#n);wt(this,{displayMode:"inline",width:0}),Lt.set(t.view,e),e.html.catch(()=>this.#o(e)),this.#a(e,Promise.resolve(""),i=>{this.#i=[i],e.renew(),this.#a(e,e.html,n=>{n.remove(),this.#t()})})}#a(t,e,i){let n=t.frame(e,"light",{message:()=>{},event:({event:o})=>o==="loaded"&&i(n),ended:()=>this.#t()});this.#i.push(n),n.start(this.#n)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Rt);var te=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;connectedCallback(){this.style.display="none",this.#e()}disconnectedCallback(){this.#s(),this.#n("idle")}attributeChangedCallback(){this.isConnected&&(this.#s(),this.#e())}#e(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#n("connecting");let e=!1;this.#t=E(b).open(()=>({questions:t}),{mounted:()=>{e=!0,this.#n("ready")},frame:i=>this.#i(i),failed:(i,n)=>{if(i!=="unreachable"){if(this.#s(),i==="gone"&&e)return this.#e();this.error={code:i,message:n},this.#n("error")}}})}#i(t){t.ask!==void 0?this.#t?.ask(y(),t.ask,t.question):t.unask!==void 0&&y().unask(t.unask)}#s(){this.#t&&L(this.#t),this.#t?.close(),this.#t=null}#n(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}};customElements.get("mcp-questions")||customElements.define("mcp-questions",te);var un="cloche.sign-in";function mi(s){let t=new BroadcastChannel(un);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&s(e)},()=>t.close()}var pn="M8 2a6 6 0 1 1-6 6",mn="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",gn="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",wn=400,Mt=class{constructor(t,e){this.host=t;let i=t.attachShadow({mode:"open"});i.adoptedStyleSheets=[gt()],this.name=l("span","name"),this.server=l("strong"),this.origin=l("span","origin",rt(gn),l("span",{},"App from ",this.server)),this.leave=l("button",{class:"leave",onclick:e.leave},"Leave full screen"),this.questionsOff=l("button",{class:"small",hidden:!0,onclick:e.allowQuestions,title:"You declined three times in a row"},"Questions are off: allow");let n=l("div","whose",this.name,this.origin);this.stage=l("div","stage"),this.loading=l("div",{class:"note loading",role:"status"},rt(pn),l("div",{},"Loading the app")),this.hint=l("p"),this.retry=l("button",{onclick:e.retry},"Try again"),this.problem=l("div",{class:"note problem",role:"alert"},rt(mn),l("div",{},l("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=l("progress",{max:1,"aria-label":"Progress"}),this.step=l("span"),this.progress=l("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let o="The connection is lost. Trying again; what you do here is kept.";this.lost=l("div",{class:"lost",role:"status"},o),this.inside=l("div",{class:"inside",role:"group"},l("header","bar",n,this.questionsOff,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.panel=l("dialog",{class:"panel bordered"},this.inside),this.origin.part.add("origin"),i.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:i,border:n,size:o,limits:r},a){let h=String(t||e||"App");this.name.textContent=h,this.server.textContent=String(i??""),this.origin.hidden=!i,this.inside.setAttribute("aria-label",h),this.panel.setAttribute("aria-label",h),this.panel.classList.toggle("bordered",n!==!1),this.setHeight(a??o?.height??r?.firstHeight??wn)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.inside.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setQuestionsOff(t){this.questionsOff.hidden=!t}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){k.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let i=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),t?this.panel.showModal():this.panel.open&&this.panel.close(),i}room(){let t=this.panel.classList.contains("large"),{width:e,height:i}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(i)}:{width:Math.round(e)}}};var v=class extends Error{code="APP_LOAD_FAILED"},C=class extends v{code="APP_DISCONNECTED"},nt=class extends v{code="APP_TIMEOUT"},F=class extends v{code="ORIGIN_NOT_ALLOWED"};var _=class{#t=new Map;on(t,e){let i=this.#t.get(t)??new Set;return this.#t.set(t,i.add(e)),()=>{i.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let i of this.of(t))i(...e)}clear(){this.#t.clear()}};var gi=new URL("./app-frame.js",import.meta.url).href,Nt=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,i){this.frame=t,this.url=e,this.handlers=i,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,i=ee(this.element,"load");t.append(this.element),await i,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let n=this.element.contentWindow,{document:o}=n,r=Object.assign(o.createElement("script"),{type:"module",src:gi}),a=ee(r,"load");o.head.append(r),await a,e.throwIfAborted(),this.#t=n.clocheAppFrame,n.addEventListener("message",this.handlers.received,{signal:e}),o.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let h=ee(this.frame,"load");h.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(o.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,o.body.append(this.frame),await h}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new v("The app was unloaded")),this.element.remove()}};function ee(s,t){return new Promise((e,i)=>{s.addEventListener(t,()=>e(),{once:!0}),s.addEventListener("error",()=>i(new v(`${gi} could not be loaded`)),{once:!0})})}var wi={name:"cloche",version:"1"},bn=/^[a-z][a-z0-9-]{0,49}$/,Ct=class extends _{state="loading";serverInfo=null;#t=new St(D);#e;#i;#s=new Map;#n=!1;#o=!1;#r=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=yn(t.options,e),this.holder=new Nt(this.frame,e.url,{received:i=>this.#p(i),left:()=>this.#b(new F(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#b(new C(`${this.name}: The app went to another page`))}),this.iframe=vn(this.holder.element,t.options,e),this.transport=new Tt(i=>this.#m(i),i=>this.#g(i),i=>t.failed(i)),this.#r.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,n=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,o=setTimeout(()=>this.#r.reject(new nt(n)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#r.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#l);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(o)}}#a(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#r.promise.catch(()=>{}).then(()=>this.#i||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#i=e,this.#e="transport",e.onMessage(i=>this.#c(i,()=>{this.transport.receive(i)})),e.onClose(()=>this.#b(new C(`${this.name}: the app closed the connection`))),this.#f())},()=>{}))}async connect(){if(await this.#r.promise,this.#e){let t={protocolVersion:Be,capabilities:{},clientInfo:wi},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#r.reject(new C(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#l);this.#i?.close(),this.holder.close()}focus(){this.frame.focus(),this.#l()}#l=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#o||this.state==="disconnected"||(this.#o=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#m(t){this.#t.answered(t),this.#i?this.#i.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,i){return this.transport.request(t,e,i)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#p({source:t,origin:e,data:i}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#c(i,()=>N(i)?void this.transport.receive(i):this.#d(i))}#c(t,e){let i=this.#t.judge(N(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});i==="cut"?this.#b(new C(`${this.name}: The app sent too many messages`)):w(i)?this.#m({jsonrpc:"2.0",id:t.id,error:i}):i==="pass"&&e()}#d(t){let{type:e,payload:i}=w(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=i?.serverInfo??null,this.#n&&this.#a(),this.#f()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...i,jsonrpc:"2.0"}):e==="app:resize"?this.#y(i):this.#w(typeof e=="string"?e:"message",i??t,t)}#w(t,e,i){this.tell(t,e),t!=="message"&&this.tell("message",i),this.host.options.onAppMessage?.(i),this.host.tell("message",{app:this,message:i})}#f(){this.state==="loading"&&(this.state="ready"),this.#r.resolve()}#g(t){let{onToolCall:e,onResourceRequest:i}=this.host.options;if(t==="ui/initialize")return()=>this.#u();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:n})=>this.#v(n);if(t==="tools/call"&&e)return n=>this.#x(n);if(t==="resources/read"&&i)return({uri:n})=>i(String(n));if(t==="ui/notifications/size-changed")return n=>this.#y(n);if(t.includes("notifications/"))return n=>this.#w(t,n,{method:t,params:n})}#u(){this.#f();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:We,hostInfo:wi,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#x({name:t,arguments:e={}}){if(typeof t!="string"||!w(e))throw new x(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new x(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#v(t){if(typeof t!="string"||!bn.test(t))throw new x(-32602,"A permission has a short name");let e=this.#s.get(t)??this.host.mayUse(t,this.id);return this.#s.set(t,e),{granted:await e}}#y(t){for(let e of["width","height"]){let i=t?.[e];typeof i!="number"||!(i>=0)||k.when(this,e,()=>this.iframe.style[e]=`${Math.min(i,D.maxHeight??0)}px`)}}#b(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#r.reject(t),this.host.unload(this.id),this.host.failed(t))}},xn="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function yn(s,t){let e=document.createElement("iframe");return bi(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),s.csp&&e.setAttribute("csp",s.csp),s.csp&&!("csp"in e)&&console.warn(xn),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function vn(s,t,e){bi(e,s,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),s.title||=e.name??e.id,Object.assign(s.style,t.style);for(let i of["width","height"]){let n=e[i];n!==void 0&&(s.style[i]=typeof n=="number"?`${n}px`:n)}return s}function bi({attributes:s={}},t,e){for(let i in s)e.test(i)&&t.setAttribute(i,s[i])}var kn=["allow-scripts"],En=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,Tn=s=>new ie(s),ie=class extends _{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:kn,...t};let{container:e,allowedOrigins:i}=t,n=typeof e=="string"?document.querySelector(e):e;if(!(n instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=n,this.allowedOrigins=Sn(i),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new F(`${e.origin} is not one of allowedOrigins`);let i=On(t.sandbox??this.options.sandbox,e),n=t.id??`app-${++this.#e}`;if(this.#t.has(n))throw new v(`There is an app with the id ${n} already`);let o=new Ct(this,{...t,id:n,url:e,sandbox:i});this.#t.set(n,o);try{await o.open(this.container)}catch(r){throw this.unload(n),this.failed(r),r}return this.tell("load",o),o}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,i){let{hitl:n}=this.options;return!n||n.neverConfirm?.includes(t)&&!n.alwaysConfirm?.includes(t)?!0:await this.#i(()=>n.onConfirmationRequired({name:t,arguments:e,app:i}))}async mayUse(t,e){let{onPermissionRequest:i}=this.options;return!!i&&await this.#i(()=>i({permission:t,app:e}))}async#i(t){let e=this.options.hitl?.confirmationTimeout??3e4,i=new Promise(n=>setTimeout(n,e,!1));try{return await Promise.race([t(),i])===!0}catch(n){return this.failed(n),!1}}};function Sn(s){if(!Array.isArray(s)||s.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of s)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is not an origin, such as https://app.example.com`);return[...s]}function On(s,t){let e=s.find(n=>En.test(n));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(s.includes("allow-same-origin")&&s.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return s}var ae=3e4,In=256;var K=class extends Error{constructor(t,e){super(t),this.code=e}},_t=class extends K{constructor(){super(si(),"TRANSPORT_CLOSED")}},ne=class extends K{constructor(t){super(ei(t),"REQUEST_TIMEOUT")}},oe=class extends K{constructor(t){super(ii(t),"REQUEST_CANCELLED")}};function xi(s,t=16777216,e=!0){let i=[],n=0,o="",r=!1,a=P(s,c=>{o={}.toString.call(c).slice(8,-1);let u=o=="ArrayBuffer";return r||=u,n+=(i.at(-1)?.length??0)+(o=="String"?c.length:u?c.byteLength:2),o=="Number"&&!isFinite(c)&&(o=""+c),n<=t&&(u?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(o))},i),h=n>t?"longer than "+t:i.length==256?"deeper than "+256:i.join(".")+(i.at(-1)=="__proto__"?" is not a name":" is a "+o);return{length:n,hasBuffers:r,flaw:a?"":h}}var vi=s=>JSON.parse(JSON.stringify(s)),ki=s=>typeof s=="number"||typeof s=="string"&&s.length<1e3,Ei=s=>"method"in s&&"id"in s;var Ln=s=>w(s)&&s.jsonrpc=="2.0"&&ki(s.id??0)&&("method"in s?typeof s.method=="string"&&w(s.params??{}):"result"in s!=w(s.error)),re=class extends it{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=vi(t)),this.transport.post(t,e)}unanswered(t,e,i){return i?new oe(e):new ne(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},J=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#i=[];#s=!1;rpc=new re(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#i.splice(0).forEach(this.#n),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:i=j()},n){return this.rpc.request(t,e,{timeout:ae,...n,id:i}).then(r=>({jsonrpc:"2.0",id:i,result:r}),r=>{if(r instanceof x)return vi({jsonrpc:"2.0",id:i,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:i}=this,n={...t,type:i+(t.method?":request":":response")};this.say(this.#s?n:{type:i,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:i,payload:n,...o}=t??{},{messageType:r}=this;i===r&&this.deliver(n),i===r+":close"&&this.ended(),(i===r+":request"||i===r+":response")&&(this.#s=!0,this.deliver({...o,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=Ln(t)?xi(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!w(t)||!ki(t.id))return;let i={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:i});t={jsonrpc:"2.0",id:t.id,error:i}}this.rpc.settle(t)||this.#t.size?this.#n(t):this.#i.length<In?this.#i.push(t):this.dropped++}violated(t){this.violations++,se(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new _t),[...this.#e].forEach(se))}release(){}#n=t=>{for(let e of[...this.#t])se(()=>e(t))};verify(t){if(!this.isConnected)throw new _t;let{flaw:e,hasBuffers:i}=xi(t,this.limit,this.carriesBuffers);if(e)throw new K("A message is plain JSON: "+e,"INVALID_MESSAGE");return i}};async function se(s){try{await s()}catch(t){console.error(t)}}var Rn=s=>new he(s),he=class{#t;#e;#i=!1;#s=new Set;#n=new _;#o=null;constructor(t){let{allowedOrigins:e,onRequest:i,onError:n}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new J,{post:o=>{let r=o.method?"mcp:notification":"mcp:response";this.#r(Ei(o)?o:{type:r,payload:o})},farewell(){}}),i&&this.transport.serve(o=>async r=>{try{return await i(o,r)}catch(a){throw n?.(a),a}}),addEventListener("message",o=>this.#a(o))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#r({type:t,payload:e})}onMessage(t,e){return this.#n.on(t,e)}async request(t,e,i){return await this.transport.rpc.request(t,e,{timeout:ae,...i})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),i=Reflect.get(document,"featurePolicy"),n=i?.features().includes(t)&&!i.allowsFeature(t);return e!==!0||n?!1:(this.#s.add(t),!0)}getPermissions(){return[...this.#s]}#r(t){for(let e of this.#o===null?this.options.allowedOrigins:[this.#o])parent.postMessage(t,e)}#a({source:t,origin:e,data:i}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#o??=e,e!==this.#o||typeof i!="object"||i===null))return;let{type:n,payload:o,jsonrpc:r}=i;r==="2.0"?this.transport.deliver(i):n==="mcp:request"?this.transport.deliver({...o,jsonrpc:"2.0"}):n==="app:init"?this.#h(o??{}):typeof n=="string"&&(n==="auth:refresh"&&this.#l(o),this.#n.tell(n,"payload"in i?o:i))}#h({data:t,authContext:e}){this.#i||(this.#i=!0,this.#l(e),this.#t=t,this.options.onInitialData?.(t))}#l(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var Mn="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",Nn="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",Cn=50,le=class s extends HTMLElement{static origins=new Set([location.origin,new URL(b).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#i=null;#s=null;#n=null;#o=null;#r={};#a=[];#h;constructor(){super(),this.#t=new Mt(this,{retry:()=>this.reload(),leave:()=>this.#y("inline"),allowQuestions:()=>this.#s?.report("allow-questions")});let{panel:t,stage:e}=this.#t;this.#e=new U(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#E());t.observe(this),this.#a=[bt(()=>this.#E()),()=>t.disconnect(),mi(e=>this.#s?.report("sign-in",{query:e}))],this.#l()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#c(),this.#k("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,i){if(!(e===i||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#S();this.#o=null,this.reload()}}setDisplayMode(t){this.#s&&this.#v(t)}focus(){this.#s?.frame.focus()}reload(){this.#c(),this.isConnected&&this.#l()}#l(){if(!this.#o&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#p())return this.#b("arguments","The attribute arguments is not a JSON object.");let t=this.#m();if(t===null)return this.#b("base",Mn);this.#k("loading");let e=H(this);this.#t.setTheme(e),this.#n=t!==b?null:W.open(this.getAttribute("view"),this.#t.stage,e,{call:this.getAttribute("call")??"",context:()=>this.#T(),resized:n=>this.#t.setHeight(n)});let i=!0;this.#i=E(t).open(()=>this.#d(),{mounted:n=>this.#w(n),frame:n=>this.#s?this.#s.receive(n):this.#u(n),waiting:n=>this.#t.setWaiting(n&&this.#s!==null),failed:(n,o)=>{if(n==="gone"&&i&&this.#s)return i=!1,void this.reload();this.#b(n,o)}})}#m(){let t=this.getAttribute("base");if(!t)return b;let e=t.replace(/\/?$/,"/"),i=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return i&&s.origins.has(i.origin)?i.href:null}#p(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return w(t)?t:null}catch{return null}}#c(){k.forget(this),this.#e.clear(),this.#i&&L(this.#i),this.#s?.remove(),this.#n?.frame.remove(),this.#s=this.#n=null,this.#y("inline"),this.#i?.close(),this.#i=null,this.#t.setWaiting(!1),this.#t.setProgress(null),this.#t.setQuestionsOff(!1)}#d(){this.#n||(this.#r=this.#T());let t={context:this.#n?{}:this.#r,origin:location.origin},e=this.#o??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#p(),...t}}async#w(t){let{leaky:e}=t,i=e?.do==="refuse";if(i||this.#f(t),!e)return;let n=this.#i,o=await(i?Vt:ti)(e.probe,this.#t.stage);!n||n!==this.#i||(o&&n.send({event:"leaky",refused:i}),i&&(o?this.#b("leaky",Nn):this.#f(t)))}#f(t){let e=this.#i;if(!e)return;this.#o=t.ticket??this.#o,this.#n&&(this.#r=this.#n.context??this.#T());let i=this.#g(t);this.#t.describe(t,i?.height),this.#s=new It(t,e,{shown:()=>this.#k("ready"),resized:({height:n})=>n===void 0||this.#t.setHeight(n),ended:(n,o)=>this.#b(n,o),escaped:()=>this.#e.isOpen||this.#y("inline"),act:n=>this.#u(n),context:()=>this.#r},i?.frame),i?i.handOver(this.#s):this.#s.frame.start(this.#t.stage)}#g(t){let e=this.#n;return this.#n=null,e?.fits(t)?e:(e?.frame.remove(),null)}#u(t){if(t.ask!==void 0){let e=t.question?.over==="page";this.#i?.ask(e?y():this.#e,t.ask,t.question)}else t.unask!==void 0?(this.#e.unask(t.unask),y().unask(t.unask)):t.do==="open-link"?this.#x(t.url):t.do==="display-mode"?this.#v(t.mode,!0):t.do==="questions"?this.#t.setQuestionsOff(t.off===!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?Me(t.files,()=>this.#s?.report("error",{message:"download"})):t.do==="remove"&&(this.#c(),this.#k("closed"))}async#x(t){let e=ft(t);if(!e)return;let i=navigator.userActivation?.isActive??!0,n={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(i||await this.#e.ask(e,n))&&ut(e)}#v(t,e=!1){k.when(this,"mode",()=>{let i=t==="fullscreen"&&!(e&&R.isWriting);this.#y(i?"fullscreen":"inline")})}#y(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#s?.frame.focus(),this.#S()),this.#s?.report("display-mode",{mode:t})}#b(t,e){this.error={code:t,message:e},this.#c(),this.#k("error")}#k(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#T(){return wt(this,{displayMode:this.displayMode,...this.#t.room()})}#E(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#S()},Cn)}#S(){this.#t.setTheme(H(this));let t=this.#T(),e=Pe(this.#r,t);this.#r=t,!(!this.#s||Object.keys(e).length===0)&&(e.theme&&this.#s.frame.setTheme(t.theme),this.#s.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",le);var Ti="mcp:",Si=(s,t,e=t)=>new Promise((i,n)=>{let o=()=>new Promise(r=>(t.addEventListener("abort",r),i()));navigator.locks.request(Ti+s,{signal:e},o).catch(n)}),Oi=(s,t,e)=>{navigator.locks.request(Ti+s,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var qt=class extends J{constructor(t=self,e){super(e),this.target=t.port??t;let i=(n,o)=>this.target.addEventListener(n,o,this.over);i("message",({data:n})=>this.take(n)),i("close",()=>this.ended()),t.addEventListener("error",({message:n})=>n||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Si(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):Oi(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var Ai="notifications/initialized",Pt=class{#t=new Map;#e=0;#i=null;#s=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:i,params:n}=t;if(i===Ai&&this.#s||(i===Ai&&(this.#s=!0),i==="initialize"&&this.#n(e)))return;if(i==="notifications/cancelled")return this.#o(t);if(!i||e===void 0)return this.toServer(t);let o=++this.#e,r=n?._meta?.progressToken;this.#t.set(o,{id:e,token:r,isGreeting:i==="initialize"});let a=r===void 0?n:{...n,_meta:{...n._meta,progressToken:o}};this.toServer({...t,id:o,...a?{params:a}:{}})}#n(t){this.#i&&this.toHost({...this.#i,id:t});let e=[...this.#t.values()].find(({isGreeting:i})=>i);return e&&(e.id=t),this.#i!==null||e!==void 0}#o(t){let[e]=[...this.#t].find(([,{id:i}])=>i===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let i=this.#t.get(t.params?.progressToken);return i&&this.toHost({...t,params:{...t.params,progressToken:i.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#i=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let i={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:i})}}};var Sa=s=>new ce(s),ce=class extends EventTarget{state="connecting";error=null;#t=null;#e=!1;#i;#s=[];#n=new AbortController;constructor({ticket:t,transport:e,base:i=b}){super(),this.transport="onMessage"in e?e:new qt(e),this.base=new URL(i.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#i=new Pt(n=>this.#h(n),n=>this.#l(n)),this.#s=[this.transport.onMessage(n=>this.#i.fromServer(n)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#m,this.#n),addEventListener("focus",this.#m,this.#n),this.#o()}close(){this.#p("closed",null)}async#o(){this.#e=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#p("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=E(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#e=!0,this.error=null,this.#c("offered")},frame:e=>this.#a(e),failed:(e,i)=>this.#r(e,i)}))}#r(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#c("connecting");let i=this.#e;if(this.#t?.close(),this.#t=null,this.#i.forget(),t!=="gone"||!i)return this.#p("error",{code:t,message:e});this.#c("connecting"),this.#o()}#a(t){t.bytes?this.#i.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#i.fromHost(t.message):t.ask!==void 0?this.#t?.ask(y(),t.ask,t.question):t.unask!==void 0&&y().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#i.fromServer(Ii(t.id,`${e}`))}}#l(t){!this.#e||this.#t?.send({message:t})!==!1||t.method||this.#t.send({message:Ii(t.id,"The answer is longer than the host takes")})}#m=()=>{!document.hidden&&this.#e&&this.#t?.send({event:"visible"})};#p(t,e){if(!(this.state==="closed"||this.state==="error")){for(let i of this.#s.splice(0))i();this.#n.abort(),this.#i.forget(),this.#t&&L(this.#t),this.#t?.close(),this.#t=null,this.error=e,this.#c(t)}}#c(t){this.state=t,this.dispatchEvent(new Event("statechange"))}},Ii=(s,t)=>({jsonrpc:"2.0",id:s,error:{code:-32603,message:t}});export{C as AppConnectionError,v as AppLoadError,nt as AppTimeoutError,le as McpApp,Rt as McpAppPreload,vt as McpTools,ce as OfferedServer,F as OriginNotAllowedError,Rn as createAppChild,Tn as createAppHost,Sa as offerServer};
