function h(i,t={},...e){let s=document.createElement(i);for(let[n,o]of Object.entries(typeof t=="string"?{class:t}:t))n in s&&!n.includes("-")?Reflect.set(s,n,o):o!==""&&s.setAttribute(n,o);return s.append(...e.filter(n=>n!=null&&n!==!1)),s}function ht(i){if(i.assignedSlot)return i.assignedSlot;let t=i.getRootNode();return i.parentElement??(t instanceof ShadowRoot?t.host:null)}var be="http://www.w3.org/2000/svg";function lt(i){let t=document.createElementNS(be,"svg");t.setAttribute("viewBox","0 0 16 16"),t.setAttribute("aria-hidden","true");let e=document.createElementNS(be,"path"),s={d:i,fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round"};for(let[n,o]of Object.entries(s))e.setAttribute(n,o);return t.append(e),t}var _s=700,qs=100,Ds=100,ct=2,dt=class{#t=0;#e=0;#s=!1;#i=!1;#n="";#o=0;#r=new Set;#a;#h;constructor(t,e,s,n){this.shade=t,this.box=e,this.buttons=s,this.changed=n}start(){this.stop(),this.#n="",this.#i=!1,this.#d(),this.changed(!1),this.#l(),this.#f(),this.#p()}stop(){this.#s=!1,this.#a?.abort(),this.#h?.disconnect(),cancelAnimationFrame(this.#o)}counts(t){return this.#c(),t.isTrusted&&this.#s}#l(){this.#a=new AbortController;let{signal:t}=this.#a,e={signal:t,capture:!0,passive:!0},s=()=>this.#d();addEventListener("scroll",s,e),addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("resize",s,e),globalThis.visualViewport?.addEventListener("scroll",s,e),document.addEventListener("visibilitychange",s,e),this.shade.addEventListener("pointerdown",()=>this.#u(),e),this.shade.addEventListener("keydown",n=>this.#m(n),e);for(let n of["pointerup","pointercancel","keyup"])addEventListener(n,()=>this.#w(),e);addEventListener("pointermove",n=>n.buttons===0&&this.#w(),e)}#f(){if(this.#r.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let t={trackVisibility:!0,delay:Ds,threshold:[0,1]};this.#h=new IntersectionObserver(e=>{for(let s of e){let{isVisible:n,target:o}=s;n?this.#r.delete(o):this.#r.add(o)}},t);for(let e of this.#b())this.#r.add(e),this.#h.observe(e)}#p(){this.#o=requestAnimationFrame(()=>{this.#c(),this.#p()})}#c(){let t=this.#b(),e=[this.box,...t].map(Fs).join(),s=e===this.#n;if(this.#n=e,!s||this.#i||!this.#v(t))return this.#d();let n=performance.now();this.#t+=Math.min(n-this.#e,qs),this.#e=n,!this.#s&&this.#t>=_s&&this.#g(!0)}#d(){this.#t=0,this.#e=performance.now(),this.#s&&this.#g(!1)}#g(t){this.#s=t,this.changed(t)}#u(){this.#c(),this.#s||(this.#i=!0)}#m(t){this.#c();let e=t.key==="Enter"||t.key===" ";this.#s&&!(e&&t.repeat)||(this.#i=!0,this.#d())}#w(){this.#i&&(this.#i=!1,this.#d())}#b(){return this.buttons.filter(t=>!t.hidden)}#v(t){if(document.hidden||!document.hasFocus())return!1;let e=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...t,...e?[this.box]:[]].every(Ps)&&t.every(s=>$s(s)&&(!this.#r.has(s)||js(s)))}};function Fs(i){let{x:t,y:e,width:s,height:n}=i.getBoundingClientRect();return`${t} ${e} ${s} ${n}`}function Ps(i){let{left:t,top:e,right:s,bottom:n,width:o}=i.getBoundingClientRect(),{offsetLeft:r,offsetTop:a,width:l,height:u}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return o>0&&t>=r-1&&e>=a-1&&s<=r+l+1&&n<=a+u+1}function $s(i){let{left:t,top:e,right:s,bottom:n}=i.getBoundingClientRect(),[o,r]=[(t+s)/2,(e+n)/2],a=i.getRootNode();return[[o,r],[t+ct,r],[s-ct,r],[o,e+ct],[o,n-ct]].every(([u,f])=>a.elementFromPoint(u,f)===i)}function js(i){for(let t=i;t;t=ht(t)){let{opacity:e,filter:s,transform:n}=getComputedStyle(t);if(e!=="1"||s!=="none"||n!=="none")return!0}return!1}var zt=class{#t=new Set;#e=new Map;#s=new Map;constructor(){let t={capture:!0,passive:!0};addEventListener("pointerdown",({isTrusted:e,pointerId:s})=>e&&this.#i(s),t);for(let e of["pointerup","pointercancel"])addEventListener(e,({pointerId:s})=>this.#n(s),t);addEventListener("pointermove",({buttons:e,pointerId:s})=>e===0&&this.#n(s),t)}#i(t){this.begin(t),clearTimeout(this.#s.get(t)),this.#s.set(t,setTimeout(()=>this.#n(t),1e4))}#n(t){this.#s.has(t)&&(clearTimeout(this.#s.get(t)),this.#s.delete(t),setTimeout(()=>this.#s.has(t)||this.end(t)))}begin(t){this.#t.add(t)}end(t){if(this.#t.delete(t),this.#t.size>0)return;let e=[...this.#e.values()].flatMap(s=>[...s.values()]);this.#e.clear();for(let s of e)s()}when(t,e,s){if(this.#t.size===0)return s();let n=this.#e.get(t)??new Map;n.delete(e),this.#e.set(t,n.set(e,s))}forget(t){this.#e.delete(t)}},Us=globalThis,zs=Symbol.for("cloche.calm"),S=Us[zs]??=new zt;var Ht=29e5;function xe(i,t){let e=h("textarea",{rows:1,class:"lines code",placeholder:"base64",spellcheck:!1}),s=h("input",{type:"file","aria-label":`File for ${i.title??t.name}`});i.contentMediaType&&(s.accept=i.contentMediaType);let n=h("span",{class:"about",role:"status"});e.value=i.default??"",s.onchange=async()=>{let[r]=s.files??[];r&&(n.textContent=r.size>Ht?`${r.name} is larger than ${Ht/1e6} MB.`:`Reading ${r.name} \u2026`,!(r.size>Ht)&&(e.value=await Hs(r),n.textContent=`${r.name}, ${r.size} bytes`))},e.oninput=()=>n.textContent="";let o=A(e,i,t);return o.insertBefore(h("div","actions",s,n),e),{element:o,read:()=>{let r=e.value.replaceAll(/\s/g,"");if(r==="")return L(e,t);if(!/^[A-Za-z0-9+/_-]*={0,2}$/.test(r))throw new g("Choose a file, or write base64",e);return r},write:r=>e.value=r??""}}function Hs(i){return new Promise((t,e)=>{let s=new FileReader;s.onload=()=>t(String(s.result).split(",")[1]??""),s.onerror=()=>e(s.error),s.readAsDataURL(i)})}function ye(i,t,e){let s=h("input",{type:"file"});i.contentMediaType&&(s.accept=i.contentMediaType);let n=h("span",{class:"about",role:"status"}),o="",r=l=>n.textContent=l;s.onchange=()=>{let[l]=s.files??[];o=l?e(l):"",r(l?`${l.size.toLocaleString("en")} bytes. It stays on this device.`:"")};let a=A(s,i,t);return s.after(n),{element:a,read:()=>o||L(s,t),write:l=>{o=l??"",o||(s.value=""),r(o)}}}function N(i,t,e=0){let s=typeof i?.$ref=="string"&&i.$ref.startsWith("#/")?i.$ref.slice(2).split("/"):null;if(!s||e>20)return i??{};let n=t;for(let a of s){let l=decodeURIComponent(a).replaceAll("~1","/").replaceAll("~0","~");n=Object.hasOwn(n??{},l)?n[l]:void 0}let{$ref:o,...r}=i;return{...N(n??{},t,e+1),...r}}function ve(i,t){let e=Array.isArray(i.type)?i.type.map(n=>({...i,type:n})):[];return(i.anyOf??i.oneOf??e).map(n=>N(n,t)).filter(n=>n.type!=="null")}function Y(i,t){let e=n=>typeof n=="string"?n:JSON.stringify(n);if(Array.isArray(i.enum)){let n=i.enumNames?.length===i.enum.length?i.enumNames:[];return i.enum.map((o,r)=>({value:o,title:String(n[r]??e(o))}))}let s=(i.oneOf??i.anyOf??[]).map(n=>N(n,t));return s.length===0||!s.every(n=>"const"in n)?null:s.map(n=>({value:n.const,title:String(n.title??e(n.const))}))}function Ee(i){let t=["title","description","default","examples"].filter(e=>i[e]!==void 0);return Object.fromEntries(t.map(e=>[e,i[e]]))}function X(i){if(typeof i.type=="string")return i.type;if(i.properties)return"object";if(i.items)return"array"}function Bs(i){let[,t]=i.split(/\bExamples?:/i,2),[e,s]=(t??"").trimStart().split(/[\n;]/,2),n=e.trimEnd(),o=s===void 0&&n.endsWith(".")?n.slice(0,-1):n;return/^[`"']?([^`"']+)[`"']?$/.exec(o.trimEnd())?.[1].trim()??""}function U(i){let[t]=Array.isArray(i.examples)?i.examples:[];return t!==void 0?typeof t=="string"?t:JSON.stringify(t):Bs(String(i.description??""))}function ke(i,t){try{return new RegExp(i,"u").test(t)}catch{return!0}}var Ws=200,Vs=100,Ks=0;function Te(i,t){let e=`suggestions-${++Ks}`,s=h("datalist",{id:e}),n=h("input",{type:"text",autocomplete:"off"});n.setAttribute("list",e);let o,r=0,a=async()=>{let u=++r,f=await t(i,n.value).catch(()=>[]);u===r&&s.replaceChildren(...f.slice(0,Vs).map(p=>new Option(p,p))),s.isConnected||n.after(s)},l=()=>{clearTimeout(o),o=setTimeout(a,Ws)};return n.addEventListener("input",l),n.addEventListener("focus",l),n}var g=class extends Error{constructor(t,e){super(t),this.element=e}};function Q(i){if(i.draft)return i.draft();try{return i.read()}catch{return}}var Se={date:"date",time:"time","date-time":"datetime-local",email:"email",uri:"url",color:"color",password:"password"},Js={email:"Enter an e-mail address",url:"Enter a whole address, such as https://example.com"},Bt=0;function Z(i,t){let e=N(i,t.root);if("const"in e)return Ce(e);if(Y(e,t.root))return Ne(e,t);let s=ve(e,t.root);if(s.length===1)return Z({...s[0],...Ee(e)},t);if(s.length>1)return si(e,s,t);let n=String(X(e));return Object.hasOwn(Oe,n)?Oe[n](e,t):tt(e,I(e,t.name))}var Oe={boolean:Qs,integer:Ie,number:Ie,string:Le,array:ti,object:(i,t)=>i.properties?ft(i,t):ei(i,t),null:()=>Ce({const:null})},I=(i,t)=>String(i.title??t),Re=i=>"default"in i?i.default??"":U(i);function A(i,t,{name:e,required:s}){let n=i.id=`field-${++Bt}`;s&&(i.required=!0);let o=h("label",{htmlFor:n},I(t,e));s&&o.append(" ",h("span","required","required"));let r=t.description&&h("span",{id:`${n}-about`,class:"about"},t.description),a=h("span",{id:`${n}-problem`,class:"problem",role:"alert"});return i.setAttribute("aria-describedby",(r?r.id+" ":"")+a.id),h("div","field",o,i,r,a)}function Le(i,t){if(i.format==="picked-file"&&t.pick)return ye(i,t,t.pick);if(i.contentEncoding==="base64"||i.format==="byte")return xe(i,t);let e=Object.hasOwn(Se,i.format)?Se[i.format]:void 0,s=/time/.test(e??"")?"1":"",n=t.suggest?Te(t.name,t.suggest):e?h("input",{type:e,step:s,...e==="password"&&{autocomplete:"off"}}):Gs();return n.placeholder=U(i),n.value=Ae(Re(i),e),{element:A(n,i,t),read:()=>{let o=n.value;if(o==="")return L(n,t);if(n.validity.typeMismatch)throw new g(Js[n.type]??"This does not fit",n);return Ys(o,i,n),e==="datetime-local"?Xs(o):o},write:o=>n.value=o==null?"":Ae(o,e)}}function Gs(){let i=h("textarea",{rows:1,class:"lines",title:"Shift+Enter starts a new line"});return i.addEventListener("keydown",t=>{t.key!=="Enter"||t.shiftKey||t.isComposing||(t.preventDefault(),!t.ctrlKey&&!t.metaKey&&i.form?.requestSubmit())}),i}function Ys(i,{minLength:t,maxLength:e,pattern:s},n){let o=[...i].length;if(t!==void 0&&o<t)throw new g(`At least ${t} characters`,n);if(e!==void 0&&o>e)throw new g(`At most ${e} characters`,n);if(s!==void 0&&!ke(s,i))throw new g(`Must match ${s}`,n)}function Xs(i){let t=-new Date(i).getTimezoneOffset(),e=s=>String(Math.floor(Math.abs(s))).padStart(2,"0");return`${i}${i.length===16?":00":""}${t<0?"-":"+"}${e(t/60)}:${e(t%60)}`}function Ae(i,t){let e=typeof i=="string"?i:JSON.stringify(i);return t==="datetime-local"?e.replace(/(?:Z|[+-]\d\d:\d\d)$/,""):e}function L(i,t){if(t.required)throw new g("Required",i)}function Ie(i,t){let e=i.type==="integer",{minimum:s="",maximum:n=""}=i,o=h("input",{type:"number",step:e?"1":"any",min:s,max:n});return o.placeholder=U(i),o.value=Re(i),{element:A(o,i,t),read:()=>{if(o.validity.badInput)throw new g("Enter a number",o);if(o.value==="")return L(o,t);let r=Number(o.value);if(e&&!Number.isInteger(r))throw new g("Enter a whole number",o);if(r<(i.minimum??-1/0))throw new g(`At least ${i.minimum}`,o);if(r>(i.maximum??1/0))throw new g(`At most ${i.maximum}`,o);return r},write:r=>o.value=r??""}}function Qs(i,t){if(!t.required&&i.default===void 0)return Ne({...i,enum:[!0,!1]},t);let e=h("input",{type:"checkbox",checked:i.default===!0}),s=A(e,i,{...t,required:!1});return s.classList.add("check"),{element:s,read:()=>e.checked,write:n=>e.checked=n===!0}}function Ne(i,t){let e=Y(i,t.root)??[],s=h("select",{},(!t.required||i.default===void 0)&&new Option("\u2013",""));e.forEach(({title:o},r)=>s.append(new Option(o,String(r))));let n=o=>{let r=e.findIndex(a=>JSON.stringify(a.value)===JSON.stringify(o));s.value=r<0?"":String(r)};return n(i.default),{element:A(s,i,t),read:()=>s.value===""?L(s,t):e[Number(s.value)].value,write:n}}function Zs(i,t){let e=Y(N(i.items,t.root),t.root)??[],s=e.map(({title:d})=>{let m=h("input",{type:"checkbox",id:`field-${++Bt}`});return{box:m,element:h("div","field check",h("label",{htmlFor:m.id},d),m)}}),n=`field-${++Bt}`,o=h("span",{id:`${n}-problem`,class:"problem",role:"alert"}),r=t.required&&h("span","required","required"),a=h("legend",{},I(i,t.name)," ",r),l=i.description&&h("span","about",i.description),u={id:n,class:"several",tabIndex:-1,"aria-describedby":o.id},f=h("fieldset",u,a,l,...s.map(d=>d.element),o),p=d=>s.forEach(({box:m},O)=>m.checked=Array.isArray(d)&&d.includes(e[O].value));return p(i.default),{element:f,read:()=>{let d=e.filter((R,G)=>s[G].box.checked).map(R=>R.value);if(d.length===0&&!t.required)return;let{minItems:m=0,maxItems:O=1/0}=i;if(d.length<m)throw new g(`Choose at least ${m}`,f);if(d.length>O)throw new g(`Choose at most ${O}`,f);return d},write:p}}var Ce=i=>({element:h("div",{hidden:!0}),read:()=>i.const,write:()=>{}});function Vt(i,t){let e=h("div"),s=t&&h("legend",{},I(i,t)),n=t&&i.description&&h("span","about",i.description);return[h("fieldset",{},s,n,e),e]}function ft(i,t){let[e,s]=Vt(i,t.name),n=new Map,o=()=>{for(let[c,d]of Object.entries(i.properties??{})){let m=(i.required??[]).includes(c),{root:O,depth:R,suggest:G,pick:Ms}=t,we=Z(d,{root:O,depth:R+1,name:c,required:m,suggest:G,pick:Ms});n.set(c,we),s.append(we.element)}},r=!t.required&&t.name!==""&&(i.required??[]).length>0,a=t.depth>2||r,l=I(i,t.name),u=()=>{n.clear(),s.replaceChildren(ut(`Add ${l}`,f))},f=()=>{s.replaceChildren(),o(),s.append(ut(`Remove ${l}`,u)),Me(s)};a?u():o();let p=c=>{let d=[...n].map(([R,G])=>[R,c(G)]),m=Object.fromEntries(d.filter(([,R])=>R!==void 0));return Object.keys(m).length===0&&!t.required&&t.name?void 0:m};return{element:e,read:()=>p(c=>c.read()),draft:()=>p(Q),find:c=>n.get(c)?.element.querySelector("input, select, textarea, fieldset[id]")??null,write:c=>{a&&c&&!n.size?f():a&&!c&&u();for(let[d,m]of n)m.write(Object.hasOwn(c??{},d)?c[d]:void 0)}}}var ut=(i,t,e=i)=>h("button",{type:"button",onclick:t,"aria-label":e},i),Me=i=>i.querySelector("input, select, textarea, button")?.focus();function _e(i,t,e){let s=I(i,t.name),[n,o]=Vt(i,t.name),r=new Map,a=()=>{let c=e(r.size+1),d=()=>(r.delete(m),m.remove(),l.focus()),m=h("div","row",c.element,ut("\u2715",d,`Remove from ${s}`));return r.set(m,c),o.append(m),c},l=ut("Add",()=>Me(a().element),`Add to ${s}`);return n.append(l),{element:n,read:()=>{let c=[...r.values()].map(d=>d.read());if(c.length<(i.minItems??0))throw new g(`At least ${i.minItems}`,n);return c.length||t.required?c:void 0},write:c=>{r.clear(),o.replaceChildren();for(let d of c)a().write(d)},draft:()=>{let c=[...r.values()].map(Q).filter(d=>d!==void 0);return c.length?c:void 0}}}function ti(i,t){if(Y(N(i.items,t.root),t.root))return Zs(i,t);let e=I(i,t.name);if(X(N(i.items??{},t.root))==="array"||i.prefixItems)return tt(i,e,t);let n=_e(i,t,r=>Z(i.items??{},Wt(t,`${e} ${r}`))),o=r=>n.write(Array.isArray(r)?r:[]);return o(i.default),{...n,write:o}}var Wt=({root:i,depth:t,pick:e},s)=>({root:i,depth:t+1,name:s,required:!0,pick:e});function ei(i,t){let e=i.additionalProperties;if(e===!1)return ft({...i,properties:{}},t);if(typeof e!="object")return tt(i,I(i,t.name),t);let s=_e({...i,minItems:0},t,()=>{let a=Le({title:"Key"},Wt(t,"Key")),l=Z(e,Wt(t,"Value"));return{element:h("div","pair",a.element,l.element),read:()=>[a.read(),l.read()],write:([u,f])=>(a.write(u),l.write(f))}}),n=()=>{let a=s.read();return a&&Object.fromEntries(a)},o=()=>Object.fromEntries((s.draft?.()??[]).filter(a=>a?.[0])),r=a=>s.write(Object.entries(a??{}));return r(i.default),{...s,read:n,write:r,draft:o}}function si(i,t,e){let[s,n]=Vt(i,e.name),o=t.map((p,c)=>new Option(p.title??X(p)??`choice ${c+1}`,String(c))),r=h("select",{"aria-label":`Kind of ${I(i,e.name)}`},...o),a=t.map(p=>Z(p,{...e,depth:e.depth+1})),l=()=>n.replaceChildren(a[Number(r.value)].element);r.addEventListener("change",l),s.insertBefore(r,n),l();let u=p=>{let c=t.findIndex(d=>ii(p,X(d)));c>=0&&(r.value=String(c)),l(),a[Number(r.value)].write(p)};i.default!==void 0&&i.default!==null&&u(i.default);let f=()=>a[Number(r.value)];return{element:s,read:()=>f().read(),write:u,draft:()=>Q(f())}}function ii(i,t){return t==="array"?Array.isArray(i):t==="integer"?Number.isInteger(i):t==="object"?typeof i=="object"&&i!==null&&!Array.isArray(i):typeof i===t}function tt(i,t,e){let s=h("textarea",{rows:2,spellcheck:!1,class:e?"code lines":"code tall"});return s.placeholder=U(i),s.value=i.default===void 0?U(i):JSON.stringify(i.default,null,2),{element:A(s,{...i,title:t},e??{root:i,depth:0,name:t}),read:()=>{if(!s.value.trim())return e?L(s,e):void 0;try{return JSON.parse(s.value)}catch(n){throw new g(`This is not JSON: ${n.message}`,s)}},write:n=>s.value=n===void 0?"":JSON.stringify(n,null,e?0:2)}}var pt=class{constructor(t,e,s){this.schema=t,this.body=ft(t,{root:t,depth:0,name:"",suggest:e,pick:s}),this.raw=tt({},"Arguments as JSON"),this.raw.element.hidden=!0,this.element=h("div","fields",this.body.element,this.raw.element)}get isRaw(){return!this.raw.element.hidden}setRaw(t){if(t===this.isRaw)return;qe(this.element);let e=t?Q(this.body)??{}:this.#t();this.raw.element.hidden=!t,this.body.element.hidden=t,this.write(e)}#t(){let t=this.read(),e=Object.keys(t).filter(o=>!Object.hasOwn(this.schema.properties??{},o));if(!e.length)return t;let s=this.raw.element.querySelector("textarea")??void 0,n=new g(`The form has no field for ${e.join(", ")}: remove it, or stay with JSON`,s);throw Kt(n),n}read(){qe(this.element);try{let t=(this.isRaw?this.raw:this.body).read()??{};if(typeof t!="object"||Array.isArray(t))throw new g("Arguments must be one JSON object");return t}catch(t){throw t instanceof g&&Kt(t),t}}refuse(t,e){let s=this.isRaw?null:this.body.find?.(t);return s&&Kt(new g(e,s)),!!s}write(t){(this.isRaw?this.raw:this.body).write(t)}};function qe(i){for(let t of i.querySelectorAll(".problem"))t.textContent="";for(let t of i.querySelectorAll("[aria-invalid]"))t.removeAttribute("aria-invalid")}function Kt({element:i,message:t}){if(!i)return;i.setAttribute("aria-invalid","true");let s=i.getRootNode().getElementById(`${i.id}-problem`);s&&(s.textContent=t),i.focus()}function mt(i){let t=typeof i=="string"&&URL.canParse(i)?new URL(i):null,e=t?.protocol==="https:"||t?.protocol==="http:";return t&&e&&!t.username&&!t.password?t:null}function gt(i){globalThis.open(i.href,"_blank","noopener,noreferrer")}var ni=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,De=120;function oi(i){let s=(String(i??"").split(/[/\\]/).pop()??"").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g,"").replace(/\s+/g," ").replace(/^[\s.]+|[\s.]+$/g,""),n=/\.[^.]{1,16}$/.exec(s)?.[0]??"",o=s.length>De?s.slice(0,De-n.length).trimEnd()+n:s;return!o||ni.test(o)?`download${o&&"-"}${o}`:o}function Fe(i,t){for(let e of i){let s=ri(e);s?ai(s,oi(e.name)):t?.(e)}}function ri({text:i,blob:t,mimeType:e}){let s=/^[\w.+-]+\/[\w.+-]+$/.test(e??"")?e:"application/octet-stream";if(typeof i=="string")return new Blob([i],{type:s});if(typeof t!="string")return null;try{return new Blob([Uint8Array.from(atob(t),n=>n.charCodeAt(0))],{type:s})}catch{return null}}function ai(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),6e4)}var hi=0,z=class{#t=[];#e;#s;#i=!1;#n=null;#o;constructor(t,e,s){this.panel=t,this.stage=e,this.giveBack=s;let n=`cloche-question-${++hi}`;this.title=h("h2",{id:`${n}-title`}),this.text=h("p",{id:`${n}-text`}),this.details=h("pre",{tabIndex:0}),this.form=h("form",{class:"form",noValidate:!0}),this.problem=h("p",{class:"danger",role:"alert"}),this.time=h("span",{class:"time",role:"timer"}),this.refuse=h("button",{class:"refuse",onclick:()=>this.#m(!1)}),this.lasting=h("button","lasting"),this.accept=h("button","accept main");let o=h("div","row",this.time,h("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=h("div",a,this.title,this.text,this.details,this.problem,this.form,o),this.shade=h("div",{class:"shade",hidden:!0},this.box),this.#o=new dt(this.shade,this.box,[this.lasting,this.accept],l=>this.#f(l)),this.accept.addEventListener("click",l=>this.#o.counts(l)&&this.#h()),this.form.addEventListener("submit",l=>{l.preventDefault(),this.#o.counts(l)&&this.#h()}),this.form.addEventListener("input",()=>this.#l()),this.lasting.addEventListener("click",l=>this.#o.counts(l)&&this.#m("page")),this.shade.addEventListener("keydown",l=>this.#g(l)),t.append(this.shade)}ask(t,e,s=()=>{}){return new Promise(n=>{this.#t.push({key:t,question:e,resolve:n,seen:s}),this.#t.length===1&&this.#r()})}unask(t){let e=this.#t.findIndex(s=>s.key===t);if(e===0)this.dismiss();else if(e>0){let[{question:s,resolve:n}]=this.#t.splice(e,1);n(Jt(s))}}clear(){for(let{question:t,resolve:e}of this.#t.splice(1))e(Jt(t));this.dismiss()}dismiss(){this.#t.length>0&&this.#m(Jt(this.#t[0].question))}get isOpen(){return this.#t.length>0}#r(){let{question:t}=this.#t[0];this.title.textContent=t.title,this.text.textContent=t.text??"",this.details.textContent=ui(t.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=t.refuse??"Refuse",this.accept.textContent=t.accept??"Allow",this.lasting.textContent=t.lasting??"",this.lasting.hidden=!t.lasting,this.problem.textContent=t.problem??"",this.problem.hidden=!t.problem,this.#a(t),this.#s=void 0,this.shade.hidden=!1,S.begin(this),this.#c(),this.#o.start(),clearInterval(this.#e),this.#e=setInterval(()=>this.#p(),250),this.#p()}#a({form:t,values:e}){this.#n=t?new pt(t):null,this.#n&&e&&this.#n.write(e),this.form.replaceChildren(...this.#n?[this.#n.element]:[]),this.form.hidden=!t}#h(){let{question:t}=this.#t[0];if(this.#n){try{this.#m({content:this.#n.read()})}catch(s){if(!(s instanceof g))throw s}return}let e=t.link?mt(t.link):null;e&&gt(e),this.#m(!0)}#l(){let t=this.#t[0];if(!t||this.#s===void 0)return;let e=performance.now()+Gt(t.question)*1e3;e-this.#s<li||(this.#s=e,t.seen())}#f(t){for(let s of[this.accept,this.lasting])s.setAttribute("aria-disabled",String(!t));let e=this.#t[0];!t||!e||this.#s!==void 0||(this.#s=performance.now()+Gt(e.question)*1e3,e.seen())}#p(){if(this.#t.length===0)return;let t=Gt(this.#t[0].question),e=this.#s===void 0?t:(this.#s-performance.now())/1e3;if(e<=0)return this.#m(null);let s=Pe(this.#t[0].question)?"cancels":"means no";this.time.textContent=`No answer ${s}: ${String(Math.ceil(e)).padStart(String(t).length,di)} s`}#c(){let t=this.#d(),e=t.activeElement!==null;this.#i||=t.activeElement?.localName==="iframe",this.stage.inert=!0,e&&this.box.focus()}#d(){return this.panel.getRootNode()}#g(t){t.key==="Escape"?(t.preventDefault(),t.stopPropagation(),this.dismiss()):t.key==="Tab"&&this.#u(t)}#u(t){let e=[...this.form.querySelectorAll("input, select, textarea, button")].map(ci),s=[this.details,...e,this.refuse,this.lasting,this.accept].filter(a=>!a.closest("[hidden]")),n=this.#d(),o=s.findIndex(a=>a===n.activeElement),r=o<0?t.shiftKey?s.length-1:0:o+(t.shiftKey?-1:1);t.preventDefault(),s[(r+s.length)%s.length].focus()}#m(t){let e=this.#t.shift();this.#t.length>0?this.#r():this.#w(),e?.resolve(t)}#w(){clearInterval(this.#e),this.#o.stop();let t=this.#d(),e=this.box.contains(t.activeElement);this.shade.hidden=!0,this.stage.inert=!1,e&&this.#i&&this.giveBack(),this.#i=!1,S.end(this)}},li=5e3,ci=i=>i,Pe=({form:i,link:t})=>i!==void 0||t!==void 0,Jt=i=>Pe(i)?"cancel":!1,di="\u2007",Gt=i=>i.seconds??30;function ui(i){if(i==null)return"";if(typeof i!="object")return String(i);let t=Object.entries(i).map(([e,s])=>[e,fi(s)]);return t.length===1?t[0][1]:t.map(([e,s])=>`${e}: ${s}`).join(`
`)}var fi=i=>typeof i=="string"?i:JSON.stringify(i)??"";var $e=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var wt=Object.fromEntries($e.split(`
`).filter(i=>i.startsWith("  --")).map(i=>i.slice(2,-1).split(": ")));var je=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
`;var bt;function H(){return bt||(bt=new CSSStyleSheet,bt.replaceSync(je.replaceAll(/var\((--[\w-]+)\)/g,(i,t)=>`var(${t}, ${wt[t]})`))),bt}var gi=300;function B(i){let t=i.getAttribute("theme");if(t==="light"||t==="dark")return t;let e=getComputedStyle(i).colorScheme,s=document.querySelector("meta[name=color-scheme]"),n=(e==="normal"?s?.content??"":e).split(" "),[o,r]=[n.includes("light"),n.includes("dark")];return o&&r?Ue().matches?"dark":"light":o||r?r?"dark":"light":bi(wi(i))?"dark":"light"}var Ue=()=>matchMedia("(prefers-color-scheme: dark)");function wi(i){for(let t=i;t;t=ht(t)){let e=getComputedStyle(t).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(e))return e}return"rgb(255, 255, 255)"}function bi(i){let[t,e]=i.split("("),[s,n,o]=e.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(t))return s/(t.startsWith("ok")?1:100)<.5;let r=t.startsWith("rgb")?255:1;return(.299*s+.587*n+.114*o)/r<.5}function xi(i){let t=getComputedStyle(i);return Object.fromEntries(Object.entries(wt).map(([e,s])=>{let n=t.getPropertyValue(e).trim();return[e,n&&n.length<=gi?n:s]}))}function xt(i,{displayMode:t,width:e,height:s}){return{theme:B(i),styles:{variables:xi(i)},displayMode:t,containerDimensions:s===void 0?{width:e}:{width:e,height:s},locale:i.getAttribute("locale")||navigator.language,timeZone:Intl.DateTimeFormat().resolvedOptions().timeZone,platform:"web",userAgent:"cloche",deviceCapabilities:{touch:matchMedia("(any-pointer: coarse)").matches,hover:matchMedia("(hover)").matches}}}function ze(i,t){let e=Object.entries(t).filter(([s,n])=>JSON.stringify(n)!==JSON.stringify(i[s]));return Object.fromEntries(e)}function yt(i){let t=new MutationObserver(i);for(let s of[document.documentElement,document.body])t.observe(s,{attributes:!0});t.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let e=Ue();return e.addEventListener("change",i),()=>{t.disconnect(),e.removeEventListener("change",i)}}var Yt=class{stopWatching=()=>{};#t=new Map;constructor(){this.host=h("div");let t=this.host.attachShadow({mode:"open"});t.adoptedStyleSheets=[H()],this.panel=h("dialog","over");let e=h("div");t.append(this.panel),this.dialog=new z(this.panel,e,()=>{});for(let s of["role","aria-modal","aria-labelledby","aria-describedby"])this.panel.setAttribute(s,this.dialog.box.getAttribute(s)??""),this.dialog.box.removeAttribute(s);this.panel.addEventListener("cancel",s=>{s.preventDefault(),this.dialog.dismiss()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}ask(t,e,s=()=>{},n={}){let o=this.#t.get(t),r=o?.seen??new Map;if(r.set(n,s),o)return o.said;let a=this.#e(t,e,()=>r.forEach(l=>l()));return this.#t.set(t,{said:a,seen:r}),a}async#e(t,e,s){this.host.isConnected||document.body.append(this.host);let n=this.dialog.ask(t,e,s);this.panel.open||(this.#s(),this.stopWatching=yt(()=>this.#s()),this.panel.showModal(),this.dialog.box.focus());let o=await n;return this.#t.delete(t),this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),o}unask(t){this.dialog.unask(t)}forget(t){for(let[e,{seen:s}]of[...this.#t])s.delete(t)&&s.size===0&&this.unask(e)}#s(){this.panel.style.colorScheme=B(document.body)}},He,b=()=>He??=new Yt,E=i=>He?.forget(i);var vt=class{#t=null;#e=[];#s=0;#i=0;#n=0;#o=!1;#r=!1;#a;#h=[];constructor(t,e,s,n){this.socket=t,this.view=e,this.opening=s,this.handlers=n}connected(){if(this.#t){let{id:t,key:e}=this.#t;this.socket.send({open:this.view,resume:t,key:e,got:this.#i})}else this.#e=[],this.#s=this.#i=this.#n=0,this.#o=!0,this.socket.send({open:this.view,...this.opening()})}disconnected(t,e){this.#o=!1,this.handlers.waiting?.(!0),!this.#t&&(e||t>=3)&&this.handlers.failed("unreachable",e||`The host does not answer at ${this.socket.base}: does it run, and do WebSockets get through?`)}send(t){let e=JSON.stringify(t);if(e.length*3>1e6&&new TextEncoder().encode(e).length>999900)return!1;let s=++this.#s;return this.#e.push({n:s,frame:t}),this.#e.length>2e3?this.#w("overflow","The host did not answer for too long."):this.#o&&this.socket.send({...t,view:this.view,n:s}),!0}pass(t){this.send({message:t})||t.method||this.send({message:et(t.id,"The answer is longer than the host takes")})}async ask(t,e,s){let n=o=>this.#r||this.send({answer:e,value:o});n(await t.ask(e,s,()=>n("seen"),this))}close(){this.#r||(this.#r=!0,clearTimeout(this.#a),this.socket.drop(this))}receive(t){this.#r||(t.mount?this.#l(t.mount):t.error?this.#w(String(t.error.code),String(t.error.message)):t.resumed!==void 0?this.#f(t.resumed):t.got!==void 0?this.#p(t.got):t.n===this.#i+1&&this.#c(t))}#l(t){this.#t={id:t.id,key:t.key},this.handlers.waiting?.(!1),this.handlers.mounted(t)}#f(t){this.#p(t),this.#o=!0,this.handlers.waiting?.(!1);for(let e of this.#e)this.socket.send({...e.frame,view:this.view,n:e.n})}#p(t){let e=this.#e.findIndex(s=>s.n>t);this.#e.splice(0,e<0?this.#e.length:e)}#c(t){if(this.#i=t.n,this.#i-this.#n>=32?this.#d():this.#a??=setTimeout(()=>this.#d(),1e3),t.body===void 0)return this.#g(t);let e=this.#m(t.body);t.free?e.then(s=>this.#r||this.handlers.frame(s),()=>{}):this.#g(e)}#d(){clearTimeout(this.#a),this.#a=void 0,!(this.#r||!this.#o)&&(this.#n=this.#i,this.socket.send({view:this.view,got:this.#i}))}#g(t){if(this.#h.length===0&&!(t instanceof Promise))return this.handlers.frame(t);this.#h.push(t),this.#h.length===1&&this.#u()}async#u(){for(;this.#h.length>0;){try{let t=await this.#h[0];if(this.#r)return;this.handlers.frame(t)}catch{return}this.#h.shift()}}async#m(t){try{return{bytes:await Be(new URL(t,this.socket.base).href)}}catch(e){throw this.#w("body",e instanceof Error?e.message:String(e)),e}}#w(t,e){this.#r||(this.close(),this.handlers.failed(t,e))}},et=(i,t)=>({jsonrpc:"2.0",id:i,error:{code:-32603,message:t}}),yi=4,vi=500;async function Be(i){for(let t=1;;t++){try{let e=await fetch(i,{credentials:"omit",referrerPolicy:"no-referrer"});if(e.ok)return await e.arrayBuffer();throw new RangeError(`The host answered ${e.status} when asked for what it announced.`)}catch(e){if(e instanceof RangeError||t>=yi)throw e}await new Promise(e=>setTimeout(e,vi*2**(t-1)))}}var Et=async i=>new TextDecoder().decode(await Be(i));var w=new URL(".",import.meta.url).href,Ei="cloche.1",ki=250,Ti=1e4,Si=1e3,We=new Map;function v(i){let t=We.get(i)??new Xt(i);return We.set(i,t),t}var Xt=class{#t=new Map;#e=0;#s=null;#i=0;#n;constructor(t){this.base=t;let e=()=>{this.#n!==void 0&&!document.hidden&&this.#r()};addEventListener("online",e),document.addEventListener("visibilitychange",e),addEventListener("pagehide",({persisted:s})=>{if(!s&&this.isOpen)for(let n of this.#t.keys())this.send({close:n})})}get isOpen(){return this.#s?.readyState===WebSocket.OPEN}open(t,e){let s=new vt(this,++this.#e,t,e);return this.#t.set(s.view,s),this.isOpen?s.connected():!this.#s&&this.#n===void 0&&this.#r(),s}drop(t){this.#t.delete(t.view),this.isOpen&&this.send({close:t.view}),setTimeout(()=>this.#t.size===0&&this.#o(),Si)}send(t){this.isOpen&&this.#s?.send(JSON.stringify(t))}#o(){clearTimeout(this.#n),this.#n=void 0;let t=this.#s;this.#s=null,t?.close(1e3)}#r(){clearTimeout(this.#n),this.#n=void 0;let t=new WebSocket(new URL("socket",this.base).href.replace(/^http/,"ws"),Ei);this.#s=t,t.onopen=()=>{this.#i=0,this.send({hello:1});for(let e of this.#t.values())e.connected()},t.onmessage=({data:e})=>this.#h(e),t.onclose=e=>this.#s===t&&this.#a(e)}#a(t){if(this.#s=null,this.#t.size===0)return;this.#i+=1;for(let s of[...this.#t.values()])s.disconnected(this.#i,t.reason);let e=Math.min(Ti,ki*2**(this.#i-1));this.#n=setTimeout(()=>this.#r(),e*(.75+Math.random()/2))}#h(t){let e=JSON.parse(t);this.#t.get(e.view)?.receive(e)}};var Ve=(i={},t={})=>({readOnlyHint:i.readOnlyHint===!0,untrustedContentHint:i.openWorldHint!==!1,consequentialHint:i.readOnlyHint!==!0&&(i.destructiveHint===!0||t.confirmRequired===!0)});var Ke=i=>Array.isArray(i)?i.map(t=>typeof t?.text=="string"?t.text:"").join(`
`).trim():"";function Je({structuredContent:i,content:t,isError:e}={}){if(e)throw new Error(Ke(t)||"The tool failed");return i!==void 0?i:Array.isArray(t)&&t.every(n=>n?.type==="text")?Ke(t):t}var Ge=new URL("webmcp.js",w).href,kt=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;#e=new Map;#s=new Map;#i=0;#n=Promise.resolve();connectedCallback(){this.style.display="none",this.#o()}disconnectedCallback(){this.#c("The page offers its tools no longer"),this.#d("idle")}attributeChangedCallback(){this.isConnected&&(this.#c("The page has another ticket"),this.#o())}get tools(){return[...this.#e.keys()]}#o(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#d("connecting");let e=!1,s=this.#t=v(w).open(()=>({agents:t}),{mounted:()=>{e=!0,this.#d("ready")},frame:n=>this.#r(s,n),failed:(n,o)=>{if(n!=="unreachable"){if(this.#c(o),n==="gone"&&e)return this.#o();this.#p(n,o)}}})}#r(t,e){e.ask!==void 0?t.ask(b(),e.ask,e.question):e.unask!==void 0?b().unask(e.unask):e.bytes?this.#f(JSON.parse(new TextDecoder().decode(e.bytes))):e.message?this.#f(e.message):e.do==="tools"&&(this.#n=this.#n.then(()=>this.#a(t,e.tools)))}async#a(t,e){if("modelContext"in document||await Oi(),this.#t!==t)return;let s=document.modelContext;if(!s)return this.#p("insecure",`This page has no document.modelContext: serve it by https, and let ${Ge} load`);let n=new Map(e.map(({name:o,version:r})=>[o,r]));for(let[o,{version:r,over:a}]of[...this.#e])n.get(o)!==r&&(this.#e.delete(o),a.abort());for(let o of e)this.#e.has(o.name)||await this.#h(s,o);this.dispatchEvent(new Event("toolschange"))}async#h(t,{annotations:e,version:s,...n}){let o=new AbortController,r=(a,l)=>this.#l({name:n.name,arguments:a,version:s},l?.signal);this.#e.set(n.name,{version:s,over:o});try{await t.registerTool({...n,annotations:Ve(e),execute:r},{signal:o.signal})}catch(a){this.#e.get(n.name)?.over===o&&this.#e.delete(n.name),o.signal.aborted||console.warn(`The tool ${n.name} is not offered to agents: ${a}`)}}async#l(t,e){let s=++this.#i,n=await new Promise((o,r)=>{if(e?.throwIfAborted(),!this.#t?.send({message:{jsonrpc:"2.0",id:s,method:"tools/call",params:t}}))throw new Error(this.#t?"The arguments are longer than the host takes":"The page offers it no longer");this.#s.set(s,{resolve:o,reject:r}),e?.addEventListener("abort",()=>{if(!this.#s.delete(s))return;r(e.reason);let a={jsonrpc:"2.0",method:"notifications/cancelled",params:{requestId:s}};this.#t?.send({message:a})})});return Je(n)}#f({id:t,result:e,error:s}){let n=this.#s.get(t);this.#s.delete(t),s?n?.reject(new Error(String(s.message))):n?.resolve(e)}#p(t,e){this.#c(e),this.error={code:t,message:e},this.#d("error")}#c(t){for(let{over:e}of this.#e.values())e.abort();this.#e.clear();for(let{reject:e}of this.#s.values())e(new Error(t));this.#s.clear(),this.#t&&E(this.#t),this.#t?.close(),this.#t=null}#d(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}},Oi=()=>new Promise(i=>document.head.append(h("script",{src:Ge,onload:i,onerror:i})));customElements.get("mcp-tools")||customElements.define("mcp-tools",kt);var Ye="2025-11-25",Xe="2026-01-26",Qe=["2026-01-26","2025-11-21"];var x=i=>({}).toString.call(i)=="[object Object]",it=i=>x(i)||Array.isArray(i)||Object(i)!==i&&typeof i!="bigint",D=(i,t,e=[],s=0)=>t(i)&&(Object(i)!==i||s<256&&Object.keys(i).every(n=>(e.splice(s,256,n),n!="__proto__"&&D(i[n],t,e,s+1))));var Tt=class{#t=new Map;#e=new Map;#s=[];#i=!1;#n=null;#o=new Map;pressed(t){t.repeat&&!this.#r(t)&&this.#a(t),this.#t.set(t.code,t.timeStamp),this.#i=t.shiftKey,this.#f(t.composedPath()[0],t.key,t.timeStamp)}released(t){this.#r(t)||this.#a(t),this.#t.delete(t.code),this.#i=t.shiftKey}reported(t,e){(this.#e.get(t.code)??-1/0)>t.at||(this.#t.set(t.code,t.at),t.types&&this.#l(t,e))}suspect(t,e,s){let n=performance.now(),o=n+1e3,{open:r,found:a}=this.#o.get(t)??{open:0,found:0};this.#o.set(t,{until:o,taken:s,open:r+1,found:a}),this.#n={at:n,until:o,field:e,isShifted:this.#i}}acquit(t){let e=this.#o.get(t);e&&--e.open>0||(this.#o.delete(t),this.#o.size===0&&(this.#n=null))}convict(t){let e=this.#o.get(t);e&&(e.open-=1,e.found>0&&this.#h(t,e))}isOpen(t){return(this.#o.get(t)?.open??0)>0}doubt(t){return Math.max(0,(this.#o.get(t)?.until??0)-performance.now())}#r({code:t,timeStamp:e}){return e-(this.#t.get(t)??-1/0)<2e3}#a(t){let e=this.#n;if(!t.isTrusted||!e||performance.now()>e.until)return;let{key:s,code:n,shiftKey:o,altKey:r,ctrlKey:a,metaKey:l,isComposing:u}=t;if(!(s.length>1&&s!=="Backspace"||r||a||l||u)){this.#e.set(n,t.timeStamp),o===e.isShifted&&this.#l({key:s,code:n,at:e.at,types:!0},e.field);for(let[f,p]of this.#o){let c=performance.now()>=p.until;c||(p.found+=1),!(p.open>0&&p.found<3)&&(c?this.#o.delete(f):this.#h(f,p))}}}#h(t,{taken:e}){this.#o.delete(t),e()}#l({key:t,code:e,at:s},n){if(!n?.isConnected)return;let o=new KeyboardEvent("keydown",{key:t,code:e,bubbles:!0,cancelable:!0,composed:!0});if(!n.dispatchEvent(o))return;let r=n;if(t==="Enter"&&n.localName==="input")return r.form?.requestSubmit();let a=r.selectionStart??null,l=r.value?.length,f=this.#s.filter(d=>d.field===n&&d.at>s).reduce((d,{step:m})=>d+m,0),p=f>0?0:Number(r.selectionEnd)-Number(a);a!==null&&f>0&&r.setSelectionRange(a-f,a-f),t==="Backspace"?document.execCommand("delete"):t==="Delete"?document.execCommand("forwardDelete"):(t==="Enter"||Ze(t)>0)&&document.execCommand("insertText",!1,t==="Enter"?`
`:t);let c=t==="Delete"?a:Number(a)+r.value?.length-l+p;a!==null&&r.setSelectionRange(c,c),this.#f(n,t,s)}#f(t,e,s){this.#s=[...this.#s.filter(n=>performance.now()-n.at<3e4),{field:t,at:s,step:Ze(e)}]}};function Ze(i){return i==="Backspace"?-1:[...i].length===1?i.length:0}function Qt(i,t){let e=10,s=()=>setTimeout(()=>e-- >1?n=s():t(),i/10),n=s();return()=>clearTimeout(n)}function St(i){return new Promise(t=>{Qt(i,()=>t(null))})}var Ri=3,Li=6e4,Ni=300,Ci=100,Mi=1e3,_i=250,qi=200,Di=1e4,ts=20,Fi="input[type=password], [autocomplete*=password], [autocomplete*=one-time-code], [autocomplete*=cc-]",Pi="textarea, input:not([type=button], [type=submit], [type=reset], [type=image], [type=checkbox], [type=radio], [type=range], [type=color], [type=file])",te=class{#t=new Map;#e=null;#s=null;#i=[];#n=-1/0;#o=!1;#r=null;#a=null;#h=!1;#l=new Tt;#f;watch(t,e){this.#t.set(t,{sandbox:e,thefts:[],keys:[],hadUntil:-1/0,wasActive:!1,givenAt:-1/0}),this.#h||this.#p()}unwatch(t){let e=this.#t.get(t);e&&(this.#t.delete(t),this.#s!==t?this.#R(t,this.#e):this.#s=null,this.#T(e,this.#e))}holdBack(t,e){let s=e&&this.isWriting;return Math.max(s||this.#y()?_i:0,this.#l.doubt(t))}isJudging(t){return this.#l.isOpen(t)}get isWriting(){return es(this.#s===null&&this.#E()?this.#e:Ot())}give(t){let e=Zt(t).activeElement===t;this.#a=e?null:t,e&&(this.#s=t);let s=this.#t.get(t);s&&(s.givenAt=performance.now()),t.focus({preventScroll:!0})}get moment(){return this.#h||this.#p(),this.#m}isSince(t){return this.#m===t}pressed(t,e){let s=this.#t.get(t);!s||this.#s!==null||this.#o||e.at<s.hadUntil||(s.keys.push(e),this.#A(t,s,e.at))}#p(){this.#h=!0;let t={capture:!0,passive:!0};addEventListener("focusin",e=>this.#c(e),t),addEventListener("focusout",()=>setTimeout(()=>this.#b()),t),addEventListener("pointerdown",e=>{e.isTrusted&&(this.#u(e.timeStamp),this.#r=null)},t),addEventListener("keydown",e=>this.#v(e),t),addEventListener("keyup",e=>this.#l.released(e),t),addEventListener("blur",e=>e.target===globalThis.window&&this.#O(),t),this.#e=Ot()}#c(t){let[e]=t.composedPath();if(e instanceof HTMLIFrameElement&&this.#t.has(e))return;this.#r=this.#a=null;let s=this.#o&&e===this.#e;this.#o=!1,e instanceof HTMLElement&&!s&&this.#d(e)}#d(t){this.#e=t,this.#u(performance.now()),this.#g();for(let e of this.#t.values())e.sandbox.ask().then(s=>e.wasActive=s.isActive)}#g(){let t=this.#s&&this.#t.get(this.#s);t&&(t.hadUntil=performance.now()),this.#s=null}#u(t){this.#i=[...this.#i.slice(1-qi),t]}get#m(){return this.#i.at(-1)??-1/0}#w(t){return this.#i.findLast(e=>e<=t)??this.#i[0]??-1/0}#b(){Ot()===null&&document.hasFocus()&&this.#d(null)}#v(t){!t.isTrusted||this.#s!==null&&t.composedPath()[0]===this.#s||(this.#g(),this.#u(t.timeStamp),this.#l.pressed(t),this.#r=t.key==="Tab"?t:null,!this.#r&&!t.ctrlKey&&!t.metaKey&&(this.#n=performance.now()))}#O(t=0){clearTimeout(this.#f);let e=this.#E();this.#o=!e&&t===ts,this.#o&&(this.#r=null),!e&&!document.hasFocus()&&t<ts&&(this.#f=setTimeout(()=>this.#O(t+1),t));let s=e&&this.#t.get(e);s&&this.#A(e,s)}#E(){return[...this.#t.keys()].find(t=>Zt(t).activeElement===t)}#x(t){let e=this.#a===t;if(this.#a=null,t.closest("[inert]"))return!1;let{timeStamp:s,defaultPrevented:n}=this.#r??{timeStamp:-1/0,defaultPrevented:!0},o=!n&&performance.now()-s<this.#S();return e||o||this.#e===null||!this.#e.isConnected}#S(){return this.#y()?1e3:1e4}#y(){return this.#e?.isConnected===!0&&this.#e.matches(Fi)}#k(t,e){this.#s=t,e.keys=[]}async#A(t,e,s=1/0){if(this.#x(t))return this.#k(t,e);if(this.#s===t)return;let n=this.#e,o=this.#w(s),r=this.#y(),a=t.closest("[inert]")!==null,l=performance.now()-this.#n<Ni;this.#l.suspect(t,n,e.sandbox.stolen);let f=setTimeout(()=>this.#s===t||this.#R(t,n),l||a?0:Ci),c=await(a?St(0):Promise.race([e.sandbox.ask(),St(this.#S())]));clearTimeout(f);let d=c?.isKnown===!1&&c.isActive&&!e.wasActive&&!l,m=c!==null&&(c.pointedAt>o||d);if(this.#t.get(t)===e){if(!m&&this.#s===t)return this.#l.convict(t);if(!m)return this.#I(t,e,n,r,c!==null);this.#l.acquit(t),e.sandbox.release(),e.keys=e.keys.filter(({at:O})=>O>this.#m),this.#m===o&&(this.#k(t,e),Ot()===n&&e.sandbox.focus())}}async#I(t,e,s,n,o){if(this.#R(t,s),o&&await Promise.race([e.sandbox.ask(),St(Mi)]),this.#t.get(t)!==e)return;this.#l.convict(t);let r=performance.now(),a=r-e.givenAt<Di;e.givenAt=-1/0,a||(e.thefts=[...e.thefts.filter(u=>r-u<Li),r]),(this.#T(e,s)||n&&!a||e.thefts.length>=Ri)&&e.sandbox.stolen()}#R(t,e){if(Zt(t).activeElement!==t)return;let s=this.#i;t.blur(),e?.focus({preventScroll:!0}),this.#i=s}#T(t,e){let s=t.keys.splice(0);for(let n of s)this.#l.reported(n,es(e)?e:null);return s.length>0}};function Zt(i){return i.getRootNode()}function es(i){return i!==null&&(i.isContentEditable||i.matches(Pi))}function Ot(){let i=document.activeElement;for(;i?.shadowRoot?.activeElement;)i=i.shadowRoot.activeElement;return i instanceof HTMLElement&&i!==document.body?i:null}var $i=globalThis,ji=Symbol.for("cloche.keyboard"),k=$i[ji]??=new te;var y=class extends Error{constructor(t,e,s){super(e),this.code=t,this.data=s}},P=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),nt=class{pending=new Map;running=new Map;post(t,e){}unanswered(t,e,s){return s?s.reason:new y(-32001,t+": no answer")}request(t,e={},{id:s=P(),timeout:n=6e4,signal:o,onProgress:r,transfer:a}={}){let l,u;return new Promise((f,p)=>{if(u=d=>{let m=this.unanswered(t,s,d&&o);p(m),this.notify("notifications/cancelled",{requestId:s,reason:String(m)})},o?.aborted)throw this.unanswered(t,s,o);o?.addEventListener("abort",u);let c=()=>{clearTimeout(l),l=n&&setTimeout(u,n)};this.pending.set(s,{resolve:f,reject:p,progress:d=>(c(),r?.(d))}),c(),r&&(e={...e,_meta:{...e._meta,progressToken:s}}),this.post({id:s,method:t,params:e},a)}).finally(()=>{this.pending.delete(s),clearTimeout(l),o?.removeEventListener("abort",u)})}notify(t,e){this.post({method:t,params:e})}settle({id:t,method:e,params:s,result:n,error:o}){let r=this.pending.get(e?e=="notifications/progress"&&s?.progressToken:t);return e?r?.progress(s):o?r?.reject(Object.assign(new y,o)):r?.resolve(n),r}async answer({id:t,method:e,params:s},n){s??={},e=="notifications/cancelled"&&this.running.get(s.requestId)?.abort(s.reason);let o=n(e);if(t==null)return o?.(s);let r=new AbortController;this.running.set(t,r);let a=l=>r.signal.aborted||this.post({id:t,...l});try{if(!o)throw new y(-32601,"Not available: "+e);a({result:await o(s,r.signal,t)??{}})}catch(l){a({error:{code:+l?.code||-32603,message:String(l?.message??l),data:l?.data}})}finally{this.running.delete(t)}}},At=class extends nt{constructor(t,e,s){super(),this.send=t,this.find=e,this.onerror=s}receive(t){if(t?.jsonrpc!="2.0")return;let{id:e,method:s,params:n={},result:o,error:r}=t;if(D(t,it)&&!x(e)&&x(s?n:r??(o===void 0||{})))return this.settle(t)||s&&this.answer(t,this.find);let a=new y(-32600,"Invalid message");this.onerror(a),s||this.settle({id:e,error:a})}post(t){let e=JSON.stringify({jsonrpc:"2.0",...t},(s,n)=>{if(it(n)||typeof n=="function")return n;throw new y(-32600,s+" is not JSON")});this.send(JSON.parse(e))}};var Bi=1e4,Wi,Vi=10,Ki,is=()=>Ki??=Ji();function Ji(){if(!("RTCPeerConnection"in globalThis&&"mozInnerScreenX"in globalThis))return!1;let i=document.createElement("iframe");i.style.display="none",document.body.append(i);let t=i.contentDocument;for(let e=1;t?.body&&e<Vi;e++){let s=t.createElement("iframe");t.body.append(s),t=s.contentDocument}return i.remove(),!t?.body}var ee=(i,t=document.body)=>Wi??=Gi(i,t),ss=!1;async function ns(i,t){return ss?!1:(ss=!0,await new Promise(e=>(globalThis.requestIdleCallback??setTimeout)(e)),ee(i,t))}function Gi({url:i,origin:t},e){let s=P(),n=document.createElement("iframe");return n.setAttribute("sandbox","allow-scripts allow-same-origin"),n.style.display="none",n.src=`${i}#${s}`,new Promise(o=>{let r=u=>{clearTimeout(l),removeEventListener("message",a),n.remove(),o(u)},a=({source:u,origin:f,data:p})=>{u!==null&&u===n.contentWindow&&f===t&&p?.nonce===s&&r(p.leaky!==!1)},l=setTimeout(()=>r(!0),Bi);addEventListener("message",a),e.append(n)})}var os=i=>"Request "+i+" timed out",rs=i=>"Request "+i+" was cancelled",as=()=>"Transport is closed",hs=()=>"This id is in use by a request that is not answered yet";var $={bytes:1e6,depth:64,rate:100,burst:400,pending:64,maxHeight:6e3},Xi=4;function ot(i,{bytes:t,depth:e}){let s=[],n=t,o="";return D(i,a=>{let l=s.at(-1)??"",u=typeof a=="string"?a:"";return n-=Xi+l.length+u.length+(Array.isArray(a)?a.length:0),n<0?o="is too large":u.isWellFormed()?Object(a)===a&&s.length>=e?o="is nested too deeply":(!it(a)||typeof a=="symbol"||!l.isWellFormed())&&(o="is not JSON"):o="holds half a character",!o},s)?null:o||"is not JSON"}function M(i){return typeof i=="object"&&!Array.isArray(i)&&i?.jsonrpc==="2.0"}var C=class{constructor(t,e,s=()=>performance.now()){this.rate=t,this.burst=e,this.now=s,this.left=e,this.last=s()}take(){let t=this.now();return this.left=Math.min(this.burst,this.left+(t-this.last)/1e3*this.rate),this.last=t,this.left<1?!1:(this.left-=1,!0)}},It=class{#t=new Set;constructor(t,e){this.limits=t,this.passing=new C(t.rate,t.burst,e),this.patience=new C(t.rate,t.burst,e),this.count=0}judge(t){if(this.count+=1,!this.passing.take())return this.patience.take()?this.#e(t,-32e3,"Too many messages: wait a moment"):"cut";let e=ot(t,this.limits);return e?this.#e(t,-32600,"The message "+e):M(t)?ls(t)?this.#t.has(t.id)?this.#e(t,-32600,hs()):this.#t.size>=this.limits.pending?this.#e(t,-32e3,"Too many requests at once"):(this.#t.add(t.id),"pass"):"pass":"drop"}answered(t){t?.method===void 0&&this.#t.delete(t?.id)}#e(t,e,s){return ls(t)?{code:e,message:s}:"drop"}},ls=i=>typeof i?.method=="string"&&/^(string|number)$/.test(typeof i.id);var Qi=20,Zi=5,se=new Map;function cs(i,t,e){return i?(addEventListener("message",tn,{capture:!0}),se.set(i,{bucket:new C(Zi,Qi),count:0,proxy:t,flooded:e}),()=>{se.delete(i)}):()=>{}}function tn(i){if(i.isTrusted&&i.source===null&&i.origin==="null")return i.stopImmediatePropagation();let t=en(i.source),e=t&&se.get(t);e&&(i.source!==e.proxy()&&i.stopImmediatePropagation(),e.count+=1,e.bucket.take()||e.flooded(e.count))}function en(i){let t=i&&"parent"in i?i:null;for(;t&&t.parent!==globalThis.window;)t=t.parent===t?null:t.parent;return t}var ds="ui/notifications/sandbox-",sn="allow-scripts allow-same-origin allow-forms",ie=2e4,nn=1e4,on=5e3,rn=1e4,fs=10,an=30,us=rn/fs,hn=250,ln=.25,cn=10,dn=100,W=class{#t=P();#e=0;#s=0;#i=!1;#n=an;#o=!1;#r=0;#a=[];#h=!1;#l=()=>{};#f=new Map;#p=0;#c=-1/0;#d=1/0;#g=[-1/0,1/0];#u=null;#m;#w=()=>{};constructor(t,e){this.options=t;let{rate:s,burst:n}=t.limits;this.bucket=new C(2*s,2*n+cn*s),this.handlers=e,this.element=document.createElement("iframe"),this.element.setAttribute("sandbox",sn),this.element.allow=t.frame.allow,this.element.referrerPolicy="no-referrer",this.element.title=t.title??""}start(t){if(!un(this.options.sandbox))return this.#b("address");this.element.src=`${this.options.sandbox.url}#${this.#t}`,addEventListener("message",this.#x),document.addEventListener("securitypolicyviolation",this.#E),this.element.addEventListener("load",()=>this.#O()),this.#v(ie),t.append(this.element),k.watch(this.element,{ask:()=>this.#I(),focus:()=>this.focus(),release:()=>this.#q(),stolen:()=>this.#b("focus")})}get isOver(){return this.#o}show(t,e,s){t.moveBefore(this.element,null),Object.assign(this.options,{html:e,theme:s}),this.#u&&(this.#v(ie),this.#A(e))}post(t){this.#u?.postMessage({message:t})}postBytes(t){this.#u?.postMessage({bytes:t},[t])}setTheme(t){this.#u?.postMessage({theme:t})}focus(){k.give(this.element),this.#u?.postMessage({focus:!0})}remove(){this.#o=!0,this.#w(),clearTimeout(this.#m),this.#l(),k.unwatch(this.element),removeEventListener("message",this.#x),document.removeEventListener("securitypolicyviolation",this.#E),this.#u?.close(),this.#u=null,this.element.remove()}#b(t,e){this.#o||(this.remove(),this.handlers.ended(t,e))}#v(t){this.#w(),this.#w=Qt(t,()=>this.#b("silent"))}#O(){if(this.#e+=1,this.#e>1)return this.#b("navigated");this.#y(),!(this.#u||this.#o)&&this.#v(nn)}#E=({effectiveDirective:t,blockedURI:e})=>{let{origin:s}=this.options.sandbox;/^(frame|child|default)-src$/.test(t)&&e.startsWith(s)&&this.#b("blocked")};#x=t=>{if(!this.#S(t))return;removeEventListener("message",this.#x),this.#y();let{html:e}=this.options;e?this.#v(ie):this.#w();let s=new MessageChannel;this.#u=s.port1,this.#u.onmessage=({data:r})=>this.#M(r);let n={nonce:this.#t},o={jsonrpc:"2.0",method:ds+"port",params:n};this.#k()?.postMessage(o,this.options.sandbox.origin,[s.port2]),e&&this.#A(e)};#S({source:t,origin:e,data:s}){return s?.method===ds+"proxy-ready"&&s.params?.nonce===this.#t&&e===this.options.sandbox.origin&&t!==null&&t===this.#k()}#y(){this.#l();let t=e=>this.#b("flood",{count:e});this.#l=cs(this.element.contentWindow,()=>this.#k(),t)}#k(){let t=this.element.contentWindow;return this.options.sandbox.around?t?.length?t[0]:null:t}async#A(t){let{frame:e,limits:s,theme:n}=this.options;try{let o=await t;this.#w(),this.setTheme(n);let r=!e.framed&&is();this.#u?.postMessage({html:o,frame:e,limits:s,deep:r}),this.#o||this.#L()}catch(o){this.#b("html",o)}}#I(){if(!this.#u)return Promise.resolve({pointedAt:-1/0,isActive:!1,isKnown:!0});let t=++this.#p,e=performance.now();return this.#u.postMessage({question:t}),new Promise(s=>this.#f.set(t,{at:e,told:s}))}#R({question:t,now:e,timeOrigin:s,isActive:n}){let o=this.#f.get(t);if(this.#f.delete(t),o&&typeof e=="number"){let[a,l]=this.#g;this.#g=[Math.max(a,e-performance.now()),Math.min(l,e-o.at)],this.#d=Math.min(Math.max(performance.timeOrigin-s,this.#g[0]),this.#g[1])}let r=typeof e=="number"&&!this.options.frame.framed;o?.told({pointedAt:this.#c-this.#d,isActive:n===!0,isKnown:r})}#T({pointedAt:t,typedAt:e,key:s,code:n,types:o}){typeof t=="number"&&(this.#c=Math.max(this.#c,t)),!(typeof s!="string"||this.options.frame.sandbox.includes("allow-same-origin"))&&k.pressed(this.element,{key:s,code:String(n),types:o===!0,at:Number(e)-this.#d})}#L(){this.#i=!1,this.#u?.postMessage({ping:++this.#s}),this.#C(0)}#C(t){let e=performance.now()+us;this.#m=setTimeout(()=>{if(this.#i)return void(this.#m=setTimeout(()=>this.#L(),on));let s=t+(performance.now()-e>hn?ln:1);s>=this.#n?this.#b("unresponsive"):this.#C(s)},us)}#M(t){if(!this.bucket.take())return this.#b("flood",{count:this.bucket.burst});this.#o||t===null||typeof t!="object"||(this.#i=!0,t.event==="navigated"||t.event==="flood"?this.#b(t.event,{count:Number(t.count)}):t.event==="told"?this.#R(t):t.event==="pressed"?this.#T(t):typeof t.event=="string"?this.#D(t):"message"in t&&this.#_(t))}#_({message:t,gesture:e,hasFocus:s}){let n=performance.now();this.#r=Math.max(this.#r,n+k.holdBack(this.element,s===!0)),this.#a.push({message:t,gesture:e,until:this.#r}),this.#h||this.#N()}#q(){this.#r=0;for(let t of this.#a)t.until=0;this.#N()}#N(){for(this.#h=!1;!this.#o&&this.#a.length>0;){let t=k.isJudging(this.element)?dn:0,e=Math.max(Math.ceil(this.#a[0].until-performance.now()),t);if(e>0){this.#h=!0,setTimeout(()=>this.#N(),e);return}let[{message:s,gesture:n}]=this.#a.splice(0,1);this.handlers.message(s,n)}}#D(t){t.event==="loaded"&&(this.#n=fs,this.#I()),this.handlers.event(t)}};function un({url:i,origin:t,around:e=t}){let s=URL.canParse(i)?new URL(i):null;return(s?.protocol==="https:"||s?.protocol==="http:")&&s.origin===e&&![t,e].includes(location.origin)}var ps={"tools/call":"ui/callServerTool","ui/open-link":"ui/openLink","ui/update-model-context":"ui/updateModelContext","ui/request-display-mode":"ui/setDisplayMode","ui/notifications/request-teardown":"ui/close","notifications/message":"ui/log"};var ms={serverToolProxy:"serverTools",openLink:"openLinks",modelContextUpdate:"updateModelContext",widgetTools:"appTools"},gs={"ui/size-change":"ui/notifications/size-changed","ui/notifications/sandbox-ready":"ui/notifications/sandbox-proxy-ready","sandbox-proxy-ready":"ui/notifications/sandbox-proxy-ready","sandbox-resource-ready":"ui/notifications/sandbox-resource-ready"};var pn=new Map([...Object.entries(ps).map(([i,t])=>[t,i]),...Object.entries(gs)]);function Rt({method:i}){return pn.get(i)??i}function Lt({initialize:i,limits:t,profile:e},s,n){let o={...s.containerDimensions};o.height===void 0&&t?.maxHeight&&(o.maxHeight=t.maxHeight);let r={...i.hostContext,...s,containerDimensions:o},a={...i,hostContext:r};return Qe.includes(n.protocolVersion)||(a.hostCapabilities=mn(i)),e?gn(a,e):a}function mn({hostCapabilities:i,hostContext:t}){let e=Object.entries(ms).filter(([,s])=>s in i);return{...i,...Object.fromEntries(e.map(([s])=>[s,!0])),displayModes:t.availableDisplayModes??["inline"]}}function gn({hostContext:i,...t},{context:e,withoutContext:s,omits:n}){let o=(r,a)=>Object.fromEntries(Object.entries(r).filter(([l])=>!a.includes(l)));return o({...t,hostContext:{...o(i,s),...e}},n)}var wn={navigated:"The view went to another page, and was removed.",flood:"The view sent too many messages, and was removed.",unresponsive:"The view stopped responding, and was removed.",focus:"The view kept taking the keyboard, and was removed.",html:"The view could not be fetched from the host.",address:"The host named a sandbox that this page must not show: its address has to be on another origin."},Nt=class{#t=!1;#e;#s;#i=[];constructor(t,e,s,n){this.packet=t,this.channel=e,this.stage=s,this.limits={...$,...t.limits},this.methods=new Set(t.methods??[]),this.#s=t.first??[],this.handlers={message:(o,r)=>this.#f(o,r),event:o=>this.#l(o),ended:(o,r)=>this.#a(o,r)},this.frame=n??this.#n(),this.frame.element.title=t.title||t.tool||"App"}#n(){let{sandbox:t,frame:e}=this.packet,s=Et(new URL(this.packet.html,this.channel.socket.base).href);s.catch(()=>{});let{theme:n}=this.stage.context();return new W({sandbox:t,frame:e,limits:this.limits,theme:n,html:s},this.handlers)}receive(t){t.bytes?this.frame.postBytes(t.bytes):t.message?this.#r(t.message)||this.frame.post(t.message):this.stage.act(t)}#o(){for(let t of this.#s.splice(0))this.#i.push(JSON.stringify(t)),this.frame.post(t)}#r(t){return this.#i.length>0&&this.#i[0]===JSON.stringify(t)&&this.#i.shift()!==void 0}report(t,e){this.channel.send({...e,event:t})}remove(){this.#e!==void 0&&cancelAnimationFrame(this.#e),this.frame.remove()}#a(t,e){t==="flood"||t==="navigated"||t==="unresponsive"?this.report(t,e):this.report("error",{message:this.#h(t)}),this.stage.ended(t,this.#h(t))}#h(t){let{origin:e}=this.packet.sandbox;return t==="blocked"?`This page's Content-Security-Policy forbids the view: add frame-src ${e}`:t==="silent"?`The sandbox at ${e} does not answer: its name must reach host.wrap(\u2026), past your middleware and proxy. ${this.channel.socket.base}self-test says more.`:wn[t]}#l(t){if(t.event==="loaded")return this.stage.shown();if(t.event==="escape")return this.stage.escaped();xn.includes(t.event)&&this.channel.send(vn(t))}#f(t,e){if(ot(t,this.limits)||!M(t))return;let s=Rt(t);if(s==="ui/initialize"&&t.id!==void 0)return this.#p(t);if(s==="ping"&&t.id!==void 0)return this.#g(t.id,{});if(s==="ui/notifications/initialized")return this.report("initialized"),this.#o();if(s==="ui/notifications/size-changed")return this.#c(t.params??{});if(t.id!==void 0&&typeof s=="string"&&!this.methods.has(s))return this.#u(t.id,-32601,`Not available here: ${String(t.method).slice(0,80)}`);let n=Number.isSafeInteger(e)&&Number(e)>0?{gesture:e}:{};!this.channel.send({message:t,...n})&&t.id!==void 0&&this.#u(t.id,-32600,"The message is too large")}#p({id:t,params:e={}}){this.#g(t,Lt(this.packet,this.stage.context(),e)),this.greeted(e)}greeted(t){this.#t||this.report("initialize",{params:t,context:this.stage.context()}),this.#t=!0,this.stage.shown()}#c(t){let e=this.#e!==void 0;this.#d={...e?this.#d:{},...ne(t,this.limits.maxHeight)},!e&&(this.#e=requestAnimationFrame(()=>{this.#e=void 0,this.stage.resized(this.#d),this.report("size",this.#d)}))}#d={};#g(t,e){this.frame.post({jsonrpc:"2.0",id:t,result:e})}#u(t,e,s){this.frame.post({jsonrpc:"2.0",id:t,error:{code:e,message:s}})}},bn=1e4;function ne(i,t=6e3){let e={},s={width:bn,height:t};for(let n of["width","height"]){let o=i?.[n];typeof o=="number"&&o>=0&&(e[n]=Math.min(Math.ceil(o),s[n]))}return e}var xn=["violation","error","console"],yn=["event","message","directive","blocked","level"];function vn(i){let t=yn.filter(s=>typeof i[s]=="string"),e=Number.isSafeInteger(i.line)&&i.line>0?{line:i.line}:{};return{...Object.fromEntries(t.map(s=>[s,i[s].slice(0,500).toWellFormed()])),...e}}var En="position: fixed; inset: auto auto 0 0; width: 1px; height: 1px; overflow: hidden; opacity: 0",ws=1e3,bs=-1/0,Ct=new Map,oe=class{#t;#e=!1;constructor(t,e){this.packet=t,this.root=e,this.html=Et(new URL(t.html,w).href)}frame(t,e,s){let{sandbox:n,frame:o}=this.packet,r={...$,...this.packet.limits};return new W({sandbox:n,frame:o,limits:r,html:t,theme:e},s)}renew(){this.#t||this.#e||!this.packet.early||!("moveBefore"in Element.prototype)||(this.#t=new V(this),this.#t.frame.start(this.root))}show(t,e){let s=this.#t;this.#t=void 0;let n=s&&!s.frame.isOver&&t.getRootNode({composed:!0})===document,o=n?s:new V(this,this.html,e);return n?o.frame.show(t,this.html,e):o.frame.start(t),o}shown(){bs=performance.now(),this.#s(ws)}#s(t){setTimeout(()=>{let e=bs+ws-performance.now();e>0?this.#s(e):this.renew()},t)}greeting(t){let[e,s]=t.split(/ (.*)/s),n=this.packet.greetings??{};if(!Object.hasOwn(n,s??""))return null;let o=n[s],{toolInfo:r}=o.hostContext;return r?{...o,hostContext:{...o.hostContext,toolInfo:{...r,id:e}}}:o}remove(){this.#e=!0,this.#t?.frame.remove()}},V=class{context=null;#t=null;#e=null;height;#s=[];#i;constructor(t,e,s="light"){this.view=t,this.frame=t.frame(e,s,{message:(n,o)=>{!this.#i&&this.#n(n)||this.#r(({handlers:r})=>r.message(n,o))},event:n=>{n.event==="loaded"&&t.shown(),this.#r(({handlers:o})=>o.event(n))},ended:(n,o)=>this.#r(({handlers:r})=>r.ended(n,o))})}static open(t,e,s,n){let o=Ct.get(t??"");if(!o?.packet.early)return null;let r=o.show(e,s);return r.#e=n,r}fits({early:t,initialize:e}){let s=!this.#t||JSON.stringify(this.#t)===JSON.stringify(e);return this.view.packet.early===t&&s}#n(t){let{limits:e}=this.frame.options;if(!this.#e||ot(t,e)||!M(t))return!1;let s=Rt(t),n=t.params??{};if(s==="ui/notifications/size-changed"&&this.#o(n,e),s!=="ui/initialize"||t.id===void 0||this.#t)return!1;let o=this.view.greeting(this.#e.call);if(!o)return!1;this.#t=o,this.context=this.#e.context();let r=Lt({...this.view.packet,initialize:o},this.context,n);return this.frame.post({jsonrpc:"2.0",id:t.id,result:r}),this.#r(a=>a.greeted(n)),!0}#o(t,e){let{height:s}=ne(t,e.maxHeight);s!==void 0&&(this.height=s,this.#e?.resized(s))}#r(t){this.#i?t(this.#i):this.#s.push(t)}handOver(t){this.#i=t;for(let e of this.#s.splice(0))e(t)}},Mt=class extends HTMLElement{#t=()=>{};ready=new Promise(t=>this.#t=()=>t(void 0));#e=null;#s=[];#i;#n=this.attachShadow({mode:"closed"});connectedCallback(){this.inert=!0,this.ariaHidden="true",this.style.cssText=En,this.#e=v(w).open(()=>({preload:this.getAttribute("ticket")??""}),{mounted:t=>this.#r(t),frame:()=>{},failed:()=>this.#t()})}disconnectedCallback(){this.#i&&this.#o(this.#i);for(let t of this.#s.splice(0))t.remove();this.#e?.close(),this.#e=null}#o(t){t.remove(),Ct.get(t.packet.view)===t&&Ct.delete(t.packet.view)}#r(t){let e=this.#i=new oe(t,this.#n);xt(this,{displayMode:"inline",width:0}),Ct.set(t.view,e),e.html.catch(()=>this.#o(e)),this.#a(e,Promise.resolve(""),s=>{this.#s=[s],e.renew(),this.#a(e,e.html,n=>{n.remove(),this.#t()})})}#a(t,e,s){let n=t.frame(e,"light",{message:()=>{},event:({event:o})=>o==="loaded"&&s(n),ended:()=>this.#t()});this.#s.push(n),n.start(this.#n)}};customElements.get("mcp-app-preload")||customElements.define("mcp-app-preload",Mt);var re=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;#t=null;connectedCallback(){this.style.display="none",this.#e()}disconnectedCallback(){this.#i(),this.#n("idle")}attributeChangedCallback(){this.isConnected&&(this.#i(),this.#e())}#e(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#n("connecting");let e=!1;this.#t=v(w).open(()=>({questions:t}),{mounted:()=>{e=!0,this.#n("ready")},frame:s=>this.#s(s),failed:(s,n)=>{if(s!=="unreachable"){if(this.#i(),s==="gone"&&e)return this.#e();this.error={code:s,message:n},this.#n("error")}}})}#s(t){t.ask!==void 0?this.#t?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#i(){this.#t&&E(this.#t),this.#t?.close(),this.#t=null}#n(t){t!==this.state&&(this.state=t,this.dispatchEvent(new Event("statechange")))}};customElements.get("mcp-questions")||customElements.define("mcp-questions",re);var kn="cloche.sign-in";function xs(i){let t=new BroadcastChannel(kn);return t.onmessage=({data:e})=>{typeof e=="string"&&e.length<=8192&&i(e)},()=>t.close()}var Tn="M8 2a6 6 0 1 1-6 6",Sn="M8 1.5 15 14H1L8 1.5ZM8 6v4M8 12v.2",On="M3 12.5V8a5 5 0 0 1 10 0v4.5M1.5 12.5h13M8 3V1.5",An=400,_t=class{constructor(t,e){this.host=t;let s=t.attachShadow({mode:"open"});s.adoptedStyleSheets=[H()],this.name=h("span","name"),this.server=h("strong"),this.origin=h("span","origin",lt(On),h("span",{},"App from ",this.server)),this.leave=h("button",{class:"leave",onclick:e.leave},"Leave full screen"),this.questionsOff=h("button",{class:"small",hidden:!0,onclick:e.allowQuestions,title:"You declined three times in a row"},"Questions are off: allow");let n=h("div","whose",this.name,this.origin);this.stage=h("div","stage"),this.loading=h("div",{class:"note loading",role:"status"},lt(Tn),h("div",{},"Loading the app")),this.hint=h("p"),this.retry=h("button",{onclick:e.retry},"Try again"),this.problem=h("div",{class:"note problem",role:"alert"},lt(Sn),h("div",{},h("p","danger","The app cannot be shown"),this.hint),this.retry),this.meter=h("progress",{max:1,"aria-label":"Progress"}),this.step=h("span"),this.progress=h("div",{class:"progress",role:"status",hidden:!0},this.meter,this.step);let o="The connection is lost. Trying again; what you do here is kept.";this.lost=h("div",{class:"lost",role:"status"},o),this.inside=h("div",{class:"inside",role:"group"},h("header","bar",n,this.questionsOff,this.leave),this.progress,this.stage,this.loading,this.problem,this.lost),this.panel=h("dialog",{class:"panel bordered"},this.inside),this.origin.part.add("origin"),s.append(this.panel),this.panel.addEventListener("cancel",r=>{r.preventDefault(),e.leave()}),this.setState("idle",null),this.setWaiting(!1)}describe({title:t,tool:e,server:s,border:n,size:o,limits:r},a){let l=String(t||e||"App");this.name.textContent=l,this.server.textContent=String(s??""),this.origin.hidden=!s,this.inside.setAttribute("aria-label",l),this.panel.setAttribute("aria-label",l),this.panel.classList.toggle("bordered",n!==!1),this.setHeight(a??o?.height??r?.firstHeight??An)}setState(t,e){this.loading.hidden=t!=="loading",this.problem.hidden=t!=="error",this.panel.hidden=t==="idle"||t==="closed",this.stage.hidden=t==="idle"||t==="closed"||t==="error",this.stage.toggleAttribute("data-covered",t==="loading"),this.inside.setAttribute("aria-busy",String(t==="loading")),this.hint.textContent=e?.message??""}setQuestionsOff(t){this.questionsOff.hidden=!t}setProgress(t){this.progress.hidden=t===null,typeof t?.fraction=="number"?this.meter.value=t.fraction:this.meter.removeAttribute("value"),this.step.textContent=t?.step??""}setWaiting(t){this.lost.hidden=!t}setHeight(t){S.when(this,"height",()=>this.stage.style.setProperty("--height",`${t}px`))}setTheme(t){this.panel.style.colorScheme=t}setLarge(t){let s=this.host.shadowRoot.activeElement?.localName==="iframe";return this.panel.classList.toggle("large",t),t?this.panel.showModal():this.panel.open&&this.panel.close(),s}room(){let t=this.panel.classList.contains("large"),{width:e,height:s}=(t?this.stage:this.host).getBoundingClientRect();return t?{width:Math.round(e),height:Math.round(s)}:{width:Math.round(e)}}};var T=class extends Error{code="APP_LOAD_FAILED"},_=class extends T{code="APP_DISCONNECTED"},rt=class extends T{code="APP_TIMEOUT"},j=class extends T{code="ORIGIN_NOT_ALLOWED"};var q=class{#t=new Map;on(t,e){let s=this.#t.get(t)??new Set;return this.#t.set(t,s.add(e)),()=>{s.delete(e)}}of(t){return[...this.#t.get(t)??[]]}tell(t,...e){for(let s of this.of(t))s(...e)}clear(){this.#t.clear()}};var ys=new URL("./app-frame.js",import.meta.url).href,qt=class{#t;#e=new AbortController;element=document.createElement("iframe");constructor(t,e,s){this.frame=t,this.url=e,this.handlers=s,this.element.srcdoc=`<!doctype html><meta http-equiv="Content-Security-Policy" content="frame-src ${e.origin}">`}async open(t){let{signal:e}=this.#e,s=ae(this.element,"load");t.append(this.element),await s,e.throwIfAborted(),this.element.addEventListener("load",()=>this.handlers.moved(),{signal:e});let n=this.element.contentWindow,{document:o}=n,r=Object.assign(o.createElement("script"),{type:"module",src:ys}),a=ae(r,"load");o.head.append(r),await a,e.throwIfAborted(),this.#t=n.clocheAppFrame,n.addEventListener("message",this.handlers.received,{signal:e}),o.addEventListener("securitypolicyviolation",()=>this.handlers.left(),{signal:e});let l=ae(this.frame,"load");l.then(()=>this.frame.addEventListener("load",()=>this.handlers.moved(),{signal:e})),Object.assign(o.body.style,{margin:"0",overflow:"hidden"}),Object.assign(this.frame.style,{border:"0",display:"block",width:"100vw",height:"100vh"}),this.frame.src=this.url.href,o.body.append(this.frame),await l}post(t,e){this.#t?.post(this.frame,t,e)}transport(t,e){return this.#t?.transport({iframe:this.frame,targetOrigin:t,connectionTimeout:e})}close(){this.#e.abort(new T("The app was unloaded")),this.element.remove()}};function ae(i,t){return new Promise((e,s)=>{i.addEventListener(t,()=>e(),{once:!0}),i.addEventListener("error",()=>s(new T(`${ys} could not be loaded`)),{once:!0})})}var vs={name:"cloche",version:"1"},In=/^[a-z][a-z0-9-]{0,49}$/,Dt=class extends q{state="loading";serverInfo=null;#t=new It($);#e;#s;#i=new Map;#n=!1;#o=!1;#r=Promise.withResolvers();constructor(t,e){super(),this.host=t,this.id=e.id,this.name=e.name??e.id,this.options=e,this.origin=e.sandbox.includes("allow-same-origin")?e.url.origin:"null",this.frame=Ln(t.options,e),this.holder=new qt(this.frame,e.url,{received:s=>this.#p(s),left:()=>this.#E(new j(`${this.name}: the app, or a redirect, left ${e.url.origin}`)),moved:()=>this.#E(new _(`${this.name}: The app went to another page`))}),this.iframe=Nn(this.holder.element,t.options,e),this.transport=new At(s=>this.#f(s),s=>this.#m(s),s=>t.failed(s)),this.#r.promise.catch(()=>{})}async open(t){let e=this.host.options.connectionTimeout??3e4,n=`${this.name}: no answer in ${e} ms${this.host.options.csp?"; with csp, an app is served with Allow-CSP-From, or with that policy itself":""}`,o=setTimeout(()=>this.#r.reject(new rt(n)),e),r=this.holder.open(t);r.catch(()=>{});try{await Promise.race([r,this.#r.promise]),this.#a(),this.#h(e);for(let a of["focus","blur","focusin","focusout"])addEventListener(a,this.#l);this.options.autoConnect!==!1&&await this.connect()}finally{clearTimeout(o)}}#a(){this.#n=!0,this.postMessage("app:init",{data:this.options.initialData,authContext:this.host.authContext})}refreshAuth(t){this.#n&&this.postMessage("auth:refresh",t)}#h(t){let e=this.holder.transport(this.origin,t);e&&(this.#r.promise.catch(()=>{}).then(()=>this.#s||e.close()),e.connect().then(()=>{this.state==="loading"&&(this.#s=e,this.#e="transport",e.onMessage(s=>this.#c(s,()=>{this.transport.receive(s)})),e.onClose(()=>this.#E(new _(`${this.name}: the app closed the connection`))),this.#u())},()=>{}))}async connect(){if(await this.#r.promise,this.#e){let t={protocolVersion:Ye,capabilities:{},clientInfo:vs},e=await this.request("initialize",t);this.serverInfo=e.serverInfo??this.serverInfo,this.transport.notify("notifications/initialized")}this.state="connected"}disconnect(){this.#r.reject(new _(`${this.name} was unloaded`)),this.state!=="error"&&(this.state="disconnected");for(let t of["focus","blur","focusin","focusout"])removeEventListener(t,this.#l);this.#s?.close(),this.holder.close()}focus(){this.frame.focus(),this.#l()}#l=()=>{let t=this.iframe.getRootNode();setTimeout(()=>{let e=t.activeElement===this.iframe;e===this.#o||this.state==="disconnected"||(this.#o=e,this.postMessage(e?"app:focus":"app:blur"))})};send(t){this.holder.post(t,this.origin==="null"?"*":this.origin)}postMessage(t,e){this.send({type:t,payload:e})}#f(t){this.#t.answered(t),this.#s?this.#s.send(t):this.#e&&t.method?this.postMessage("mcp:request",t):this.send(t)}request(t,e,s){return this.transport.request(t,e,s)}callTool(t,e={}){return this.request("tools/call",{name:t,arguments:e})}readResource(t){return this.request("resources/read",{uri:t})}getPrompt(t,e={}){return this.request("prompts/get",{name:t,arguments:e})}onMessage(t){return this.on("message",t)}#p({source:t,origin:e,data:s}){t===null||t!==this.frame.contentWindow||e!==this.origin||this.#c(s,()=>M(s)?void this.transport.receive(s):this.#d(s))}#c(t,e){let s=this.#t.judge(M(t)?t:{jsonrpc:"2.0",method:"x",params:{data:t}});s==="cut"?this.#E(new _(`${this.name}: The app sent too many messages`)):x(s)?this.#f({jsonrpc:"2.0",id:t.id,error:s}):s==="pass"&&e()}#d(t){let{type:e,payload:s}=x(t)?t:{};e==="app:ready"?(this.#e??="envelopes",this.serverInfo=s?.serverInfo??null,this.#n&&this.#a(),this.#u()):e==="mcp:response"||e==="mcp:notification"?this.transport.receive({...s,jsonrpc:"2.0"}):e==="app:resize"?this.#O(s):this.#g(typeof e=="string"?e:"message",s??t,t)}#g(t,e,s){this.tell(t,e),t!=="message"&&this.tell("message",s),this.host.options.onAppMessage?.(s),this.host.tell("message",{app:this,message:s})}#u(){this.state==="loading"&&(this.state="ready"),this.#r.resolve()}#m(t){let{onToolCall:e,onResourceRequest:s}=this.host.options;if(t==="ui/initialize")return()=>this.#w();if(t==="ping")return()=>({});if(t==="app/request-permission")return({name:n})=>this.#v(n);if(t==="tools/call"&&e)return n=>this.#b(n);if(t==="resources/read"&&s)return({uri:n})=>s(String(n));if(t==="ui/notifications/size-changed")return n=>this.#O(n);if(t.includes("notifications/"))return n=>this.#g(t,n,{method:t,params:n})}#w(){this.#u();let{onToolCall:t,onResourceRequest:e}=this.host.options;return{protocolVersion:Xe,hostInfo:vs,hostCapabilities:{...t&&{serverTools:{}},...e&&{serverResources:{}}},hostContext:{platform:"web",displayMode:"inline",availableDisplayModes:["inline"]}}}async#b({name:t,arguments:e={}}){if(typeof t!="string"||!x(e))throw new y(-32602,"A tool is called by its name");if(!await this.host.mayCall(t,e,this.id))throw new y(-32e3,"The user declined");return await this.host.options.onToolCall?.(t,e)}async#v(t){if(typeof t!="string"||!In.test(t))throw new y(-32602,"A permission has a short name");let e=this.#i.get(t)??this.host.mayUse(t,this.id);return this.#i.set(t,e),{granted:await e}}#O(t){for(let e of["width","height"]){let s=t?.[e];typeof s!="number"||!(s>=0)||S.when(this,e,()=>this.iframe.style[e]=`${Math.min(s,$.maxHeight??0)}px`)}}#E(t){this.state==="error"||this.state==="disconnected"||(this.state="error",this.#r.reject(t),this.host.unload(this.id),this.host.failed(t))}},Rn="createAppHost: this browser ignores csp. The app's own response headers have to limit it.";function Ln(i,t){let e=document.createElement("iframe");return Es(t,e,/^(lang|loading|allow)$/),e.setAttribute("sandbox",t.sandbox.join(" ")),i.csp&&e.setAttribute("csp",i.csp),i.csp&&!("csp"in e)&&console.warn(Rn),e.title=t.attributes?.title??t.name??t.id,e.referrerPolicy="no-referrer",e}function Nn(i,t,e){Es(e,i,/^(title|class|id|aria-[a-z]+|data-[\w-]+)$/),i.title||=e.name??e.id,Object.assign(i.style,t.style);for(let s of["width","height"]){let n=e[s];n!==void 0&&(i.style[s]=typeof n=="number"?`${n}px`:n)}return i}function Es({attributes:i={}},t,e){for(let s in i)e.test(s)&&t.setAttribute(s,i[s])}var Cn=["allow-scripts"],Mn=/^allow-(top-navigation.*|popups-to-escape-sandbox)$/i,_n=i=>new he(i),he=class extends q{#t=new Map;#e=0;constructor(t){super(),this.options={connectionTimeout:3e4,sandbox:Cn,...t};let{container:e,allowedOrigins:s}=t,n=typeof e=="string"?document.querySelector(e):e;if(!(n instanceof Element))throw new TypeError("container: there is no such element on this page");this.container=n,this.allowedOrigins=qn(s),this.authContext=t.authContext}async loadApp(t){return this.unloadApp(),await this.load({src:t,id:"app"})}unloadApp(){this.unload("app")}async load(t){let e=new URL(t.src,document.baseURI);if(!this.allowedOrigins.includes(e.origin))throw new j(`${e.origin} is not one of allowedOrigins`);let s=Dn(t.sandbox??this.options.sandbox,e),n=t.id??`app-${++this.#e}`;if(this.#t.has(n))throw new T(`There is an app with the id ${n} already`);let o=new Dt(this,{...t,id:n,url:e,sandbox:s});this.#t.set(n,o);try{await o.open(this.container)}catch(r){throw this.unload(n),this.failed(r),r}return this.tell("load",o),o}unload(t){let e=this.#t.get(t);e&&(this.#t.delete(t),e.disconnect(),this.tell("unload",e))}unloadAll(){for(let t of[...this.#t.keys()])this.unload(t)}get(t){return this.#t.get(t)}list(){return[...this.#t.values()]}updateAuthContext(t){this.authContext=t;for(let e of this.#t.values())e.refreshAuth(t)}destroy(){this.unloadAll(),this.clear()}failed(t){this.options.onAppError?.(t),this.options.onError?.(t),this.tell("error",t)}async mayCall(t,e,s){let{hitl:n}=this.options;return!n||n.neverConfirm?.includes(t)&&!n.alwaysConfirm?.includes(t)?!0:await this.#s(()=>n.onConfirmationRequired({name:t,arguments:e,app:s}))}async mayUse(t,e){let{onPermissionRequest:s}=this.options;return!!s&&await this.#s(()=>s({permission:t,app:e}))}async#s(t){let e=this.options.hitl?.confirmationTimeout??3e4,s=new Promise(n=>setTimeout(n,e,!1));try{return await Promise.race([t(),s])===!0}catch(n){return this.failed(n),!1}}};function qn(i){if(!Array.isArray(i)||i.length===0)throw new TypeError("allowedOrigins: name the origins that apps may come from, such as https://app.example.com");for(let t of i)if(typeof t!="string"||!URL.canParse(t)||new URL(t).origin!==t)throw new TypeError(`allowedOrigins: ${JSON.stringify(t)} is not an origin, such as https://app.example.com`);return[...i]}function Dn(i,t){let e=i.find(n=>Mn.test(n));if(e)throw new TypeError(`sandbox: ${e} lets an app out of its frame`);if(i.includes("allow-same-origin")&&i.includes("allow-scripts")&&t.origin===location.origin)throw new TypeError("sandbox: an app of this page's own origin with allow-same-origin can take its sandbox off");return i}var fe=3e4,Pn=256;var K=class extends Error{constructor(t,e){super(t),this.code=e}},Ft=class extends K{constructor(){super(as(),"TRANSPORT_CLOSED")}},ce=class extends K{constructor(t){super(os(t),"REQUEST_TIMEOUT")}},de=class extends K{constructor(t){super(rs(t),"REQUEST_CANCELLED")}};function ks(i,t=16777216,e=!0){let s=[],n=0,o="",r=!1,a=D(i,u=>{o={}.toString.call(u).slice(8,-1);let f=o=="ArrayBuffer";return r||=f,n+=(s.at(-1)?.length??0)+(o=="String"?u.length:f?u.byteLength:2),o=="Number"&&!isFinite(u)&&(o=""+u),n<=t&&(f?e:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(o))},s),l=n>t?"longer than "+t:s.length==256?"deeper than "+256:s.join(".")+(s.at(-1)=="__proto__"?" is not a name":" is a "+o);return{length:n,hasBuffers:r,flaw:a?"":l}}var Ss=i=>JSON.parse(JSON.stringify(i)),Os=i=>typeof i=="number"||typeof i=="string"&&i.length<1e3,As=i=>"method"in i&&"id"in i;var $n=i=>x(i)&&i.jsonrpc=="2.0"&&Os(i.id??0)&&("method"in i?typeof i.method=="string"&&x(i.params??{}):"result"in i!=x(i.error)),ue=class extends nt{constructor(t){super(),this.transport=t}post(t,e=[]){t={jsonrpc:"2.0",...t},this.transport.verify(t)||(t=Ss(t)),this.transport.post(t,e)}unanswered(t,e,s){return s?new de(e):new ce(e)}close(t){for(let{reject:e}of this.pending.values())e(t);for(let e of this.running.values())e.abort(t);this.running.clear()}},J=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#t=new Set;#e=new Set;#s=[];#i=!1;rpc=new ue(this);constructor(t){Object.assign(this,t)}get isConnected(){return!this.over.signal.aborted}send(t,{transfer:e=[]}={}){this.verify(t),this.post(t,e)}onMessage(t){return this.#t.add(t),this.#s.splice(0).forEach(this.#n),()=>{this.#t.delete(t)}}onClose(t){return this.over.signal.aborted?t():this.#e.add(t),()=>{this.#e.delete(t)}}request({method:t,params:e,id:s=P()},n){return this.rpc.request(t,e,{timeout:fe,...n,id:s}).then(r=>({jsonrpc:"2.0",id:s,result:r}),r=>{if(r instanceof y)return Ss({jsonrpc:"2.0",id:s,error:{...r}});throw r})}serve(t){return this.onMessage(e=>e.method&&this.rpc.answer(e,t))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(t,e){let{messageType:s}=this,n={...t,type:s+(t.method?":request":":response")};this.say(this.#i?n:{type:s,payload:t},e)}farewell(){this.say({type:this.messageType+":close"})}say(t,e){}take(t,e){let{type:s,payload:n,...o}=t??{},{messageType:r}=this;s===r&&this.deliver(n),s===r+":close"&&this.ended(),(s===r+":request"||s===r+":response")&&(this.#i=!0,this.deliver({...o,jsonrpc:"2.0"}))}deliver(t){if(!this.isConnected)return;let e=$n(t)?ks(t,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(e){if(this.dropped++,!x(t)||!Os(t.id))return;let s={code:-32600,message:"Invalid message: "+e};if(t.method)return this.rpc.post({id:t.id,error:s});t={jsonrpc:"2.0",id:t.id,error:s}}this.rpc.settle(t)||this.#t.size?this.#n(t):this.#s.length<Pn?this.#s.push(t):this.dropped++}violated(t){this.violations++,le(()=>this.onOriginViolation?.(t))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new Ft),[...this.#e].forEach(le))}release(){}#n=t=>{for(let e of[...this.#t])le(()=>e(t))};verify(t){if(!this.isConnected)throw new Ft;let{flaw:e,hasBuffers:s}=ks(t,this.limit,this.carriesBuffers);if(e)throw new K("A message is plain JSON: "+e,"INVALID_MESSAGE");return s}};async function le(i){try{await i()}catch(t){console.error(t)}}var jn=i=>new pe(i),pe=class{#t;#e;#s=!1;#i=new Set;#n=new q;#o=null;constructor(t){let{allowedOrigins:e,onRequest:s,onError:n}=t;if(!Array.isArray(e)||e.length===0)throw new TypeError("allowedOrigins: name the origins of pages that may embed this app");this.options=t,this.transport=Object.assign(new J,{post:o=>{let r=o.method?"mcp:notification":"mcp:response";this.#r(As(o)?o:{type:r,payload:o})},farewell(){}}),s&&this.transport.serve(o=>async r=>{try{return await s(o,r)}catch(a){throw n?.(a),a}}),addEventListener("message",o=>this.#a(o))}ready(t={}){this.postMessage("app:ready",t)}serve(t){t.connect(this.transport),this.ready({serverInfo:t.info})}getInitialData(){return this.#t}getAuthContext(){return this.#e}postMessage(t,e){this.#r({type:t,payload:e})}onMessage(t,e){return this.#n.on(t,e)}async request(t,e,s){return await this.transport.rpc.request(t,e,{timeout:fe,...s})}async requestPermission(t){let{granted:e}=await this.request("app/request-permission",{name:t},{timeout:0}),s=Reflect.get(document,"featurePolicy"),n=s?.features().includes(t)&&!s.allowsFeature(t);return e!==!0||n?!1:(this.#i.add(t),!0)}getPermissions(){return[...this.#i]}#r(t){for(let e of this.#o===null?this.options.allowedOrigins:[this.#o])parent.postMessage(t,e)}#a({source:t,origin:e,data:s}){if(t!==parent||!this.options.allowedOrigins.includes(e)||(this.#o??=e,e!==this.#o||typeof s!="object"||s===null))return;let{type:n,payload:o,jsonrpc:r}=s;r==="2.0"?this.transport.deliver(s):n==="mcp:request"?this.transport.deliver({...o,jsonrpc:"2.0"}):n==="app:init"?this.#h(o??{}):typeof n=="string"&&(n==="auth:refresh"&&this.#l(o),this.#n.tell(n,"payload"in s?o:s))}#h({data:t,authContext:e}){this.#s||(this.#s=!0,this.#l(e),this.#t=t,this.options.onInitialData?.(t))}#l(t){this.#e=t,t!==void 0&&this.options.onAuthContext?.(t)}};var Un="The attribute base names an origin that is neither this page's nor its script's. Load mcp-app.js from the host that is meant, or let a script say McpApp.origins.add(\u2026).",zn="This browser cannot keep an app from sending data elsewhere, and apps are only shown in browsers that can.",Hn=50,me=class i extends HTMLElement{static origins=new Set([location.origin,new URL(w).origin]);static observedAttributes=["ticket","server","tool","arguments","theme","locale"];state="idle";error=null;displayMode="inline";#t;#e;#s=null;#i=null;#n=null;#o=null;#r={};#a=[];#h;#l=NaN;constructor(){super(),this.#t=new _t(this,{retry:()=>this.reload(),leave:()=>this.#x("inline"),allowQuestions:()=>this.#i?.report("allow-questions")});let{panel:t,stage:e}=this.#t;this.#e=new z(t,e,()=>this.focus())}connectedCallback(){let t=new ResizeObserver(()=>this.#A());t.observe(this),this.#a=[yt(()=>this.#A()),()=>t.disconnect(),xs(e=>this.#i?.report("sign-in",{query:e}))],this.#f()}disconnectedCallback(){for(let t of this.#a.splice(0))t();clearTimeout(this.#h),this.#h=void 0,this.#d(),this.#y("idle")}connectedMoveCallback(){}attributeChangedCallback(t,e,s){if(!(e===s||this.#a.length===0)){if(t==="theme"||t==="locale")return this.#I();this.#o=null,this.reload()}}setDisplayMode(t){this.#i&&this.#E(t)}focus(){this.#i?.frame.focus(),this.state==="loading"&&(this.#l=k.moment)}reload(){this.#d(),this.isConnected&&this.#f()}#f(){if(!this.#o&&!this.hasAttribute("ticket")&&!this.hasAttribute("tool"))return;if(this.error=null,!this.#c())return this.#S("arguments","The attribute arguments is not a JSON object.");let t=this.#p();if(t===null)return this.#S("base",Un);this.#y("loading");let e=B(this);this.#t.setTheme(e),this.#n=t!==w?null:V.open(this.getAttribute("view"),this.#t.stage,e,{call:this.getAttribute("call")??"",context:()=>this.#k(),resized:n=>this.#t.setHeight(n)});let s=!0;this.#s=v(t).open(()=>this.#g(),{mounted:n=>this.#u(n),frame:n=>this.#i?this.#i.receive(n):this.#v(n),waiting:n=>this.#t.setWaiting(n&&this.#i!==null),failed:(n,o)=>{if(n==="gone"&&s&&this.#i)return s=!1,void this.reload();this.#S(n,o)}})}#p(){let t=this.getAttribute("base");if(!t)return w;let e=t.replace(/\/?$/,"/"),s=URL.canParse(e,document.baseURI)?new URL(e,document.baseURI):null;return s&&i.origins.has(s.origin)?s.href:null}#c(){try{let t=JSON.parse(this.getAttribute("arguments")||"{}");return x(t)?t:null}catch{return null}}#d(){S.forget(this),this.#e.clear(),this.#s&&E(this.#s),this.#i?.remove(),this.#n?.frame.remove(),this.#i=this.#n=null,this.#x("inline"),this.#s?.close(),this.#s=null,this.#t.setWaiting(!1),this.#t.setProgress(null),this.#t.setQuestionsOff(!1),this.#l=NaN}#g(){this.#n||(this.#r=this.#k());let t={context:this.#n?{}:this.#r,origin:location.origin},e=this.#o??this.getAttribute("ticket");return e?{ticket:e,...t}:{server:this.getAttribute("server")??"",tool:this.getAttribute("tool")??"",arguments:this.#c(),...t}}async#u(t){let{leaky:e}=t,s=e?.do==="refuse";if(s||this.#m(t),!e)return;let n=this.#s,o=await(s?ee:ns)(e.probe,this.#t.stage);!n||n!==this.#s||(o&&n.send({event:"leaky",refused:s}),s&&(o?this.#S("leaky",zn):this.#m(t)))}#m(t){let e=this.#s;if(!e)return;this.#o=t.ticket??this.#o,this.#n&&(this.#r=this.#n.context??this.#k());let s=this.#b(t);this.#t.describe(t,s?.height),this.#i=new Nt(t,e,{shown:()=>this.#w(),resized:({height:n})=>n===void 0||this.#t.setHeight(n),ended:(n,o)=>this.#S(n,o),escaped:()=>this.#e.isOpen||this.#x("inline"),act:n=>this.#v(n),context:()=>this.#r},s?.frame),s?s.handOver(this.#i):this.#i.frame.start(this.#t.stage)}#w(){this.#y("ready");let t=k.isSince(this.#l);this.#l=NaN,t&&this.focus()}#b(t){let e=this.#n;return this.#n=null,e?.fits(t)?e:(e?.frame.remove(),null)}#v(t){if(t.ask!==void 0){let e=t.question?.over==="page";this.#s?.ask(e?b():this.#e,t.ask,t.question)}else t.unask!==void 0?(this.#e.unask(t.unask),b().unask(t.unask)):t.do==="open-link"?this.#O(t.url):t.do==="display-mode"?this.#E(t.mode,!0):t.do==="questions"?this.#t.setQuestionsOff(t.off===!0):t.do==="progress"?this.#t.setProgress(t.over?null:t):t.do==="download"?Fe(t.files,()=>this.#i?.report("error",{message:"download"})):t.do==="remove"&&(this.#d(),this.#y("closed"))}async#O(t){let e=mt(t);if(!e)return;let s=navigator.userActivation?.isActive??!0,n={title:`Open ${e.host}?`,details:e.href,accept:"Open",refuse:"Cancel"};(s||await this.#e.ask(e,n))&&gt(e)}#E(t,e=!1){S.when(this,"mode",()=>{let s=t==="fullscreen"&&!(e&&k.isWriting);this.#x(s?"fullscreen":"inline")})}#x(t){t!==this.displayMode&&(this.displayMode=t,this.#t.setLarge(t==="fullscreen")&&this.#i?.frame.focus(),this.#I()),this.#i?.report("display-mode",{mode:t})}#S(t,e){this.error={code:t,message:e},this.#d(),this.#y("error")}#y(t){t!==this.state&&(this.state=t,this.#t.setState(t,this.error),this.dispatchEvent(new Event("statechange")))}#k(){return xt(this,{displayMode:this.displayMode,...this.#t.room()})}#A(){this.#h??=setTimeout(()=>{this.#h=void 0,this.#I()},Hn)}#I(){this.#t.setTheme(B(this));let t=this.#k(),e=ze(this.#r,t);this.#r=t,!(!this.#i||Object.keys(e).length===0)&&(e.theme&&this.#i.frame.setTheme(t.theme),this.#i.report("context",e))}};customElements.get("mcp-app")||customElements.define("mcp-app",me);var Is="mcp:",Rs=(i,t,e=t)=>new Promise((s,n)=>{let o=()=>new Promise(r=>(t.addEventListener("abort",r),s()));navigator.locks.request(Is+i,{signal:e},o).catch(n)}),Ls=(i,t,e)=>{navigator.locks.request(Is+i,{mode:"shared",signal:t},()=>{e()}).catch(()=>{})};var Pt=class extends J{constructor(t=self,e){super(e),this.target=t.port??t;let s=(n,o)=>this.target.addEventListener(n,o,this.over);s("message",({data:n})=>this.take(n)),s("close",()=>this.ended()),t.addEventListener("error",({message:n})=>n||this.ended(),this.over),this.target.start?.(),t.port&&this.announce()}announce(){let t=crypto.randomUUID(),e=()=>this.say({type:this.messageType+":alive",presence:t});Rs(t,this.over.signal).then(e,()=>{})}take(t){t?.type!==this.messageType+":alive"?super.take(t):Ls(t.presence,this.over.signal,()=>this.ended())}say(t,e=[]){this.target.postMessage(t,e)}release(){this.target instanceof MessagePort&&this.target.close()}};var Ns="notifications/initialized",$t=class{#t=new Map;#e=0;#s=null;#i=!1;constructor(t,e){this.toServer=t,this.toHost=e}fromHost(t){let{id:e,method:s,params:n}=t;if(s===Ns&&this.#i||(s===Ns&&(this.#i=!0),s==="initialize"&&this.#n(e)))return;if(s==="notifications/cancelled")return this.#o(t);if(!s||e===void 0)return this.toServer(t);let o=++this.#e,r=n?._meta?.progressToken;this.#t.set(o,{id:e,token:r,isGreeting:s==="initialize"});let a=r===void 0?n:{...n,_meta:{...n._meta,progressToken:o}};this.toServer({...t,id:o,...a?{params:a}:{}})}#n(t){this.#s&&this.toHost({...this.#s,id:t});let e=[...this.#t.values()].find(({isGreeting:s})=>s);return e&&(e.id=t),this.#s!==null||e!==void 0}#o(t){let[e]=[...this.#t].find(([,{id:s}])=>s===t.params?.requestId)??[];e!==void 0&&(this.#t.delete(e),this.toServer({...t,params:{...t.params,requestId:e}}))}fromServer(t){if(t.method==="notifications/progress"){let s=this.#t.get(t.params?.progressToken);return s&&this.toHost({...t,params:{...t.params,progressToken:s.token}})}if(t.method)return this.toHost(t);let e=this.#t.get(t.id);e&&(this.#t.delete(t.id),e.isGreeting&&t.result&&(this.#s=t),this.toHost({...t,id:e.id}))}forget(){for(let[t,{isGreeting:e}]of[...this.#t]){if(e)continue;this.#t.delete(t);let s={requestId:t,reason:"The host is gone"};this.toServer({jsonrpc:"2.0",method:"notifications/cancelled",params:s})}}};var za=i=>new ge(i),ge=class extends EventTarget{state="connecting";error=null;#t=null;#e=!1;#s;#i=[];#n=new AbortController;constructor({ticket:t,transport:e,base:s=w}){super(),this.transport="onMessage"in e?e:new Pt(e),this.base=new URL(s.replace(/\/?$/,"/"),document.baseURI).href,this.ticket=t,this.#s=new $t(n=>this.#h(n),n=>this.#l(n)),this.#i=[this.transport.onMessage(n=>this.#s.fromServer(n)),this.transport.onClose(()=>this.close())],document.addEventListener("visibilitychange",this.#f,this.#n),addEventListener("focus",this.#f,this.#n),this.#o()}close(){this.#p("closed",null)}async#o(){this.#e=!1;let t;try{t=typeof this.ticket=="function"?await this.ticket():this.ticket}catch(e){return this.#p("error",{code:"ticket",message:`There is no ticket: ${e}`})}this.state!=="closed"&&(this.#t=v(this.base).open(()=>({offer:t,visible:!document.hidden}),{mounted:()=>{this.#e=!0,this.error=null,this.#c("offered")},frame:e=>this.#a(e),failed:(e,s)=>this.#r(e,s)}))}#r(t,e){if(t==="unreachable")return this.error={code:t,message:e},this.#c("connecting");let s=this.#e;if(this.#t?.close(),this.#t=null,this.#s.forget(),t!=="gone"||!s)return this.#p("error",{code:t,message:e});this.#c("connecting"),this.#o()}#a(t){t.bytes?this.#s.fromHost(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#s.fromHost(t.message):t.ask!==void 0?this.#t?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#h(t){try{this.transport.send(t)}catch(e){t.method&&t.id!==void 0&&this.#s.fromServer(et(t.id,`${e}`))}}#l(t){this.#e&&this.#t?.pass(t)}#f=()=>{!document.hidden&&this.#e&&this.#t?.send({event:"visible"})};#p(t,e){if(!(this.state==="closed"||this.state==="error")){for(let s of this.#i.splice(0))s();this.#n.abort(),this.#s.forget(),this.#t&&E(this.#t),this.#t?.close(),this.#t=null,this.error=e,this.#c(t)}}#c(t){this.state=t,this.dispatchEvent(new Event("statechange"))}};var Bn,Cs=()=>Bn??=import(new URL("frames.js",w).href),jt=class{#t=null;#e=null;#s=0;constructor(t,e){this.url=t,this.around=e}get isConnected(){return this.#t?.isConnected===!0}async setUp(t){let{setupFrame:e,showSetup:s,notice:n,allow:o}=this.around,r=this.#i(),{IframeWindowControl:a,OuterFrameTransport:l,Logger:u}=await Cs();if(r!==this.#s)return null;let f=this.#e=new a({iframe:e,setVisible:s}),p=this.#t=new l(f,{url:this.url,sessionId:t?.sessionId,onPermissionRequest:o,logger:new u("OUTER","setup",()=>{})});try{let{ephemeralMessage:c,...d}=await p.setup();return r!==this.#s?null:(n(c??""),d)}catch(c){if(r!==this.#s)return null;throw c}finally{r===this.#s&&this.close()}}cancel(){this.#t?.cancel()}async connect(t){let{frame:e,show:s,message:n,lost:o,notice:r}=this.around,a=this.#i(),{IframeWindowControl:l,OuterFrameTransport:u,Logger:f}=await Cs();if(a!==this.#s)return!1;let p=this.#e=new l({iframe:e,setVisible:s}),c=this.#t=new u(p,{url:this.url,sessionId:t.sessionId,transportVisibility:t.transportVisibility,permissions:t.permissions,onSetupRequired:({canContinue:d,message:m})=>d&&a===this.#s&&r(m),logger:new f("OUTER","transport",()=>{})});c.onMessage(d=>a===this.#s&&n(d));try{await c.prepareToConnect()}catch(d){if(a!==this.#s)return!1;throw this.close(),d}return c.onClose(()=>{if(a!==this.#s)return;let{code:d="WINDOW_GONE",message:m="The server's page was reloaded, left or closed"}=c.error??{};this.close(),o({code:d,message:m})}),a===this.#s}send(t){if(!this.#t)throw new Error("The page is not connected to the server");this.#t.send(t)}setVisible(t){this.#t?.setVisible(t)}close(){this.#i()}#i(){let t=++this.#s,[e,s]=[this.#t,this.#e];return this.#t=this.#e=null,e?.close(),s?.setVisible(!1),s?.destroy(),t}};var Ut=class extends HTMLElement{static observedAttributes=["ticket"];state="idle";error=null;setup=null;#t=null;#e=null;#s="";#i=!1;#n="";#o=h("strong");#r=h("span");#a=h("strong");#h=h("span");#l=h("p",{role:"status"});#f=h("iframe",{title:"Server",hidden:!0});#p=h("iframe",{title:"Setup"});#c=h("dialog",{class:"setup","aria-label":"Set up a server"});#d=at("Set up",()=>this.setUp());#g=at("Reconnect",()=>this.reconnect());#u=at("Show",()=>this.setVisible(!this.#i));#m=at("Remove",()=>this.forget());constructor(){super();let t=this.attachShadow({mode:"open"});t.adoptedStyleSheets=[H()];let e=at("Cancel",()=>this.#e?.cancel()),s=h("div","bar",h("div","origin whose",this.#a,this.#h),e);this.#c.append(s,this.#p),this.#c.addEventListener("cancel",r=>{r.preventDefault(),this.#e?.cancel()});let n=[this.#u,this.#g,this.#d,this.#m],o=h("div","bar",h("div","origin whose",this.#o,this.#r),...n);t.append(h("div","server",o,this.#l,this.#f),this.#c),this.#L()}connectedCallback(){this.#w()}disconnectedCallback(){this.#k(),this.#T("idle")}attributeChangedCallback(){this.isConnected&&(this.#k(),this.#w())}get isVisible(){return this.#i}setVisible(t){this.#e?.setVisible(t)}async setUp(){let t=this.#e;if(t){this.#S("it is being set up"),this.#T("setup");try{let e=await t.setUp(this.setup);if(!e||t!==this.#e)return;this.setup=e,this.#x("setup",{setup:e})}catch(e){return this.#y(t,e)}await this.reconnect()}}async reconnect(){let t=this.#e;if(!(!t||!this.setup)){this.#S("it is being loaded"),this.#T("loading");try{if(!await t.connect(this.setup)||t!==this.#e)return;this.#x("connected",{}),this.#T("ready")}catch(e){this.#y(t,e)}}}forget(){this.#e&&(this.#e.close(),this.setup=null,this.#n="",this.#x("removed",{}),this.#T("new"))}#w(){let t=this.getAttribute("ticket");if(!t||this.#t)return;this.error=null,this.#T("connecting");let e=!1;this.#t=v(w).open(()=>({offer:t,visible:!document.hidden}),{mounted:s=>{e=!0,this.#b(s)},frame:s=>this.#v(s),failed:(s,n)=>{if(s!=="unreachable"){if(this.#k(),s==="gone"&&e)return this.#w();this.error={code:s,message:n},this.#T("error")}}})}#b({url:t,server:e,setup:s}){this.#s=e,this.#e=new jt(t,{setupFrame:this.#p,frame:this.#f,showSetup:n=>this.#A(n),show:n=>this.#I(n),allow:n=>this.#E(new URL(t).origin,n),message:n=>this.#t?.pass(n),lost:n=>this.#y(this.#e,n),notice:n=>this.#R(n)}),!s&&this.setup&&this.#x("setup",{setup:this.setup}),this.setup=s??this.setup,this.setup?this.reconnect():this.#T("new")}#v(t){t.bytes?this.#O(JSON.parse(new TextDecoder().decode(t.bytes))):t.message?this.#O(t.message):t.ask!==void 0?this.#t?.ask(b(),t.ask,t.question):t.unask!==void 0&&b().unask(t.unask)}#O(t){try{if(!this.#e)throw new Error("The page is not connected to the server");this.#e.send(t)}catch(e){t.method&&t.id!==void 0&&this.#t?.pass(et(t.id,`${e}`))}}async#E(t,e){let s=e.map(({name:o,purpose:r})=>`${o}: ${r}`).join(`
`),n={title:`Allow ${t} to use this?`,details:s,accept:"Allow",seconds:Wn};return await b().ask({},n,void 0,this)===!0}#x(t,e){this.#t?.send({event:t,...e})}#S(t){this.state==="ready"&&this.#x("lost",{message:t}),this.error=null}#y(t,e){if(t!==this.#e)return;let{code:s="CONFIG_ERROR",message:n=String(e)}=e??{};this.error={code:s,message:n},this.#x("lost",{message:n}),this.#T("error")}#k(){this.#e?.close(),this.#e=null,this.#t&&E(this.#t),E(this),this.#t?.close(),this.#t=null}#A(t){t&&!this.#c.open?this.#c.showModal():!t&&this.#c.open&&this.#c.close()}#I(t){this.#i=t,this.#f.hidden=!t,this.#L()}#R(t){this.#n=t,this.#L()}#T(t){this.state=t,this.#L(),this.dispatchEvent(new Event("statechange"))}#L(){let{setup:t,state:e}=this,s=this.#e?new URL(this.#e.url).origin:"",n=t?.transportVisibility.requirement==="optional";this.#o.textContent=this.#a.textContent=t?.displayName??this.#s,this.#r.textContent=this.#h.textContent=s,this.#l.textContent=this.error?.message??(this.#n||Vn[e]),this.#l.className=this.error?"danger":"",this.#u.textContent=this.#i?"Hide":"Show",this.#u.title=t?.transportVisibility.description??"",this.#u.hidden=e!=="ready"||!n,this.#d.textContent=t?"Set up again":"Set up",this.#d.hidden=!this.#e||e==="setup"||e==="loading",this.#g.hidden=e!=="error"||!t||!this.#e,this.#m.hidden=!this.#e||!t}},at=(i,t)=>h("button",{class:"small",type:"button",onclick:t},i),Wn=24,Vn={idle:"",connecting:"Connecting\u2026",new:"Set the server up to use it.",setup:"Being set up\u2026",loading:"Loading\u2026",ready:"Connected",error:""};customElements.get("mcp-server")||customElements.define("mcp-server",Ut);export{_ as AppConnectionError,T as AppLoadError,rt as AppTimeoutError,me as McpApp,Mt as McpAppPreload,Ut as McpServerElement,kt as McpTools,ge as OfferedServer,j as OriginNotAllowedError,jn as createAppChild,_n as createAppHost,za as offerServer};
