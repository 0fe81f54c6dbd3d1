function Xn(r){let e=new URL(r,globalThis.document?.baseURI),t=e.hash.slice(1).split(",");return{url:e,isSetup:t.includes("setup"),isVisible:t.includes("visible")}}var or=(r=location.href)=>Xn(r).isSetup?"setup":"transport";var ir=r=>r.map(e=>{if(e=="*"||e=="null")return e;let t=URL.canParse(e)?new URL(e).origin:"null";if(t!="null")return t;throw new TypeError(`${String(e).slice(0,100)} is not an origin: write it as in https://app.example`)});var ar=["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05","2024-10-07"],B="2026-07-28";var O="io.modelcontextprotocol/",ot="cloche/notifications";var cr=/^notifications.(tools|prompts|resources).list_changed$/;var S=r=>({}).toString.call(r)=="[object Object]";var Ce=(r,e,t=[],n=0)=>e(r)&&(Object(r)!==r||n<256&&Object.keys(r).every(s=>(t.splice(n,256,s),s!="__proto__"&&Ce(r[s],e,t,n+1))));var T=class extends Error{constructor(e,t,n){super(t),this.code=e,this.data=n}},M=()=>crypto.randomUUID?.()??crypto.getRandomValues(new Uint32Array(4)).join("-"),_e=class{pending=new Map;running=new Map;post(e,t){}unanswered(e,t,n){return n?n.reason:new T(-32001,e+": no answer")}request(e,t={},{id:n=M(),timeout:s=6e4,signal:o,onProgress:i,transfer:a}={}){let l,d;return new Promise((h,u)=>{if(d=f=>{let m=this.unanswered(e,n,f&&o);u(m),this.notify("notifications/cancelled",{requestId:n,reason:String(m)})},o?.aborted)throw this.unanswered(e,n,o);o?.addEventListener("abort",d);let p=()=>{clearTimeout(l),l=s&&setTimeout(d,s)};this.pending.set(n,{resolve:h,reject:u,progress:f=>(p(),i?.(f))}),p(),i&&(t={...t,_meta:{...t._meta,progressToken:n}}),this.post({id:n,method:e,params:t},a)}).finally(()=>{this.pending.delete(n),clearTimeout(l),o?.removeEventListener("abort",d)})}notify(e,t){this.post({method:e,params:t})}settle({id:e,method:t,params:n,result:s,error:o}){let i=this.pending.get(t?t=="notifications/progress"&&n?.progressToken:e);return t?i?.progress(n):o?i?.reject(Object.assign(new T,o)):i?.resolve(s),i}async answer({id:e,method:t,params:n},s){n??={},t=="notifications/cancelled"&&this.running.get(n.requestId)?.abort(n.reason);let o=s(t);if(e==null)return o?.(n);let i=new AbortController;this.running.set(e,i);let a=l=>i.signal.aborted||this.post({id:e,...l});try{if(!o)throw new T(-32601,"Not available: "+t);a({result:await o(n,i.signal,e)??{}})}catch(l){a({error:{code:+l?.code||-32603,message:String(l?.message??l),data:l?.data}})}finally{this.running.delete(e)}}};var Re=r=>"Request "+r+" timed out",lr=r=>"Request "+r+" was cancelled",dr=()=>"Transport is closed";var hr=r=>"Unsupported protocol version: "+r;var dt=3e4,rs=256;var C=class extends Error{constructor(e,t){super(e),this.code=t}},J=class extends C{constructor(){super(dr(),"TRANSPORT_CLOSED")}},le=class extends C{constructor(e){super(Re(e),"REQUEST_TIMEOUT")}},ct=class extends C{constructor(e){super(lr(e),"REQUEST_CANCELLED")}};function K(r,e=16777216,t=!0){let n=[],s=0,o="",i=!1,a=Ce(r,d=>{o={}.toString.call(d).slice(8,-1);let h=o=="ArrayBuffer";return i||=h,s+=(n.at(-1)?.length??0)+(o=="String"?d.length:h?d.byteLength:2),o=="Number"&&!isFinite(d)&&(o=""+d),s<=e&&(h?t:/^(Object|Array|String|Number|Boolean|Null|Undefined)$/.test(o))},n),l=s>e?"longer than "+e:n.length==256?"deeper than "+256:n.join(".")+(n.at(-1)=="__proto__"?" is not a name":" is a "+o);return{length:s,hasBuffers:i,flaw:a?"":l}}var ur=r=>JSON.parse(JSON.stringify(r)),fr=r=>typeof r=="number"||typeof r=="string"&&r.length<1e3;var ns=r=>S(r)&&r.jsonrpc=="2.0"&&fr(r.id??0)&&("method"in r?typeof r.method=="string"&&S(r.params??{}):"result"in r!=S(r.error)),lt=class extends _e{constructor(e){super(),this.transport=e}post(e,t=[]){e={jsonrpc:"2.0",...e},this.transport.verify(e)||(e=ur(e)),this.transport.post(e,t)}unanswered(e,t,n){return n?new ct(t):new le(t)}close(e){for(let{reject:t}of this.pending.values())t(e);for(let t of this.running.values())t.abort(e);this.running.clear()}},q=class{limit=16777216;messageType="mcp";onOriginViolation;carriesBuffers=!0;dropped=0;violations=0;over=new AbortController;#e=new Set;#r=new Set;#t=[];#n=!1;rpc=new lt(this);constructor(e){Object.assign(this,e)}get isConnected(){return!this.over.signal.aborted}send(e,{transfer:t=[]}={}){this.verify(e),this.post(e,t)}onMessage(e){return this.#e.add(e),this.#t.splice(0).forEach(this.#s),()=>{this.#e.delete(e)}}onClose(e){return this.over.signal.aborted?e():this.#r.add(e),()=>{this.#r.delete(e)}}request({method:e,params:t,id:n=M()},s){return this.rpc.request(e,t,{timeout:dt,...s,id:n}).then(i=>({jsonrpc:"2.0",id:n,result:i}),i=>{if(i instanceof T)return ur({jsonrpc:"2.0",id:n,error:{...i}});throw i})}serve(e){return this.onMessage(t=>t.method&&this.rpc.answer(t,e))}close(){this.over.signal.aborted||(this.farewell(),this.ended())}post(e,t){let{messageType:n}=this,s={...e,type:n+(e.method?":request":":response")};this.say(this.#n?s:{type:n,payload:e},t)}farewell(){this.say({type:this.messageType+":close"})}say(e,t){}take(e,t){let{type:n,payload:s,...o}=e??{},{messageType:i}=this;n===i&&this.deliver(s),n===i+":close"&&this.ended(),(n===i+":request"||n===i+":response")&&(this.#n=!0,this.deliver({...o,jsonrpc:"2.0"}))}deliver(e){if(!this.isConnected)return;let t=ns(e)?K(e,this.limit,this.carriesBuffers).flaw:"no JSON-RPC";if(t){if(this.dropped++,!S(e)||!fr(e.id))return;let n={code:-32600,message:"Invalid message: "+t};if(e.method)return this.rpc.post({id:e.id,error:n});e={jsonrpc:"2.0",id:e.id,error:n}}this.rpc.settle(e)||this.#e.size?this.#s(e):this.#t.length<rs?this.#t.push(e):this.dropped++}violated(e){this.violations++,w(()=>this.onOriginViolation?.(e))}ended(){this.over.signal.aborted||(this.over.abort(),this.release(),this.rpc.close(new J),[...this.#r].forEach(w))}release(){}#s=e=>{for(let t of[...this.#e])w(()=>t(e))};verify(e){if(!this.isConnected)throw new J;let{flaw:t,hasBuffers:n}=K(e,this.limit,this.carriesBuffers);if(t)throw new C("A message is plain JSON: "+t,"INVALID_MESSAGE");return n}};async function w(r){try{await r()}catch(e){console.error(e)}}var mr={idle:{setup:["announcing setup","announce"],connect:["announcing","announce"],close:["closed",""]},"announcing setup":{MCP_SETUP_HANDSHAKE_REPLY:["configuring","pin"],"MCP_SETUP_HANDSHAKE_REPLY with an error":["failed","give up"],fail:["failed","tell"],gone:["failed","give up"],close:["closed","tell"]},configuring:{MCP_SETUP_HANDSHAKE_REPLY:["configuring",""],"MCP_SETUP_HANDSHAKE_REPLY with an error":["failed","give up"],complete:["configured","send"],fail:["failed","tell"],gone:["failed","give up"],close:["closed","tell"]},configured:{connect:["announcing","announce"],close:["closed",""]},announcing:{MCP_TRANSPORT_HANDSHAKE_REPLY:["connected","accept"],"MCP_TRANSPORT_HANDSHAKE_REPLY with an error":["failed","give up"],fail:["failed","tell"],gone:["failed","give up"],close:["closed","tell"]},connected:{MCP_MESSAGE:["connected","deliver"],MCP_TRANSPORT_HANDSHAKE_REPLY:["connected",""],"MCP_TRANSPORT_HANDSHAKE_REPLY with an error":["failed","give up"],"require setup":["connected","send"],"require setup now":["setup required","send"],fail:["failed","tell"],gone:["closed","end"],close:["closed","end"]},"setup required":{close:["closed",""]},failed:{setup:["announcing setup","announce"],connect:["announcing","announce"],close:["closed",""]},closed:{}};var gr={"announcing setup":"handshake",announcing:"handshake"},br={handshake:3e4,consent:25e3,setup:0},ht=[0,50,100,200,400,800,1600,3200,6400,12800];var pt={setup:"Transport already in use: make another one for the setup phase, or close this one first",connect:"Transport already in use: make another one for the transport phase, or close this one first",complete:"Must call prepareSetup() first","require setup":"Must call prepareToConnect() first","require setup now":"Must call prepareToConnect() first",MCP_MESSAGE:"Transport not ready: call prepareToConnect() first, and wait for it"},wr="Transport already closed: make another one",yr="Setup already completed",xr=["USER_CANCELLED","AUTH_FAILED","TIMEOUT","CONFIG_ERROR","VERSION_MISMATCH","INSUFFICIENT_PERMISSIONS"];var Ie={$defs:{MCP_SETUP_HANDSHAKE:{type:"object",properties:{type:{enum:["MCP_SETUP_HANDSHAKE"]},minProtocolVersion:{type:"string",pattern:"^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"},maxProtocolVersion:{type:"string",pattern:"^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"},requiresVisibleSetup:{type:"boolean"},requestedPermissions:{type:"array",items:{$ref:"#/$defs/PermissionRequirement"},maxItems:32},documentId:{type:"string",maxLength:64}},required:["type","minProtocolVersion","maxProtocolVersion","requiresVisibleSetup"]},PermissionRequirement:{type:"object",properties:{name:{type:"string",pattern:"^[a-z][a-z0-9-]{0,63}$"},phase:{type:"array",items:{enum:["setup","transport"]},maxItems:2,minItems:1},required:{type:"boolean"},purpose:{type:"string",maxLength:500}},required:["name","phase","required","purpose"]},MCP_SETUP_COMPLETE:{type:"object",properties:{type:{enum:["MCP_SETUP_COMPLETE"]},status:{enum:["error","success"]},displayName:{type:"string",maxLength:200},transportVisibility:{$ref:"#/$defs/TransportVisibility"},ephemeralMessage:{type:"string",maxLength:1e3},error:{$ref:"#/$defs/SetupErrorDetails"}},required:["type","status","displayName","transportVisibility"],if:{properties:{status:{const:"error"}}},then:{required:["error"]},else:{not:{required:["error"]}}},TransportVisibility:{type:"object",properties:{requirement:{enum:["hidden","optional","required"]},description:{type:"string",maxLength:500}},required:["requirement"]},SetupErrorDetails:{type:"object",properties:{code:{enum:["AUTH_FAILED","CONFIG_ERROR","INSUFFICIENT_PERMISSIONS","TIMEOUT","USER_CANCELLED","VERSION_MISMATCH"]},message:{type:"string",maxLength:700}},required:["code","message"]},MCP_TRANSPORT_HANDSHAKE:{type:"object",properties:{type:{enum:["MCP_TRANSPORT_HANDSHAKE"]},protocolVersion:{type:"string",pattern:"^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"},documentId:{type:"string",maxLength:64}},required:["type","protocolVersion"]},MCP_TRANSPORT_ACCEPTED:{type:"object",properties:{type:{enum:["MCP_TRANSPORT_ACCEPTED"]},sessionId:{type:"string",maxLength:200,pattern:"^[!-~]+$"}},required:["type","sessionId"]},MCP_MESSAGE:{type:"object",properties:{type:{enum:["MCP_MESSAGE"]},payload:{type:"object"}},required:["type","payload"]},MCP_SETUP_REQUIRED:{type:"object",properties:{type:{enum:["MCP_SETUP_REQUIRED"]},reason:{enum:["AUTH_EXPIRED","CONFIG_CHANGED","OTHER","PERMISSIONS_CHANGED"]},message:{type:"string",maxLength:700},canContinue:{type:"boolean"},error:{$ref:"#/$defs/SetupErrorDetails"}},required:["type","reason","message","canContinue"]},MCP_SETUP_HANDSHAKE_REPLY:{type:"object",properties:{type:{enum:["MCP_SETUP_HANDSHAKE_REPLY"]},protocolVersion:{type:"string",pattern:"^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"},sessionId:{type:"string",maxLength:200,pattern:"^[!-~]+$"},error:{$ref:"#/$defs/SetupErrorDetails"}},required:["type"],if:{not:{required:["error"]}},then:{required:["protocolVersion","sessionId"]}},MCP_TRANSPORT_HANDSHAKE_REPLY:{type:"object",properties:{type:{enum:["MCP_TRANSPORT_HANDSHAKE_REPLY"]},sessionId:{type:"string",maxLength:200,pattern:"^[!-~]+$"},protocolVersion:{type:"string",pattern:"^[0-9]{1,6}(\\.[0-9]{1,6}){0,3}$"},error:{$ref:"#/$defs/SetupErrorDetails"}},required:["type"],if:{not:{required:["error"]}},then:{required:["protocolVersion","sessionId"]}}}};var E=class extends C{},Er=({code:r,message:e})=>({code:xr.includes(r)?r:r=="WINDOW_GONE"?"USER_CANCELLED":"CONFIG_ERROR",message:e.slice(0,700)});var ss=250,vr=()=>window.opener??(window.parent===window?null:window.parent),Sr=()=>typeof window<"u"&&!!vr(),Me=class{pinnedOrigin;#e=new AbortController;constructor(e,t=vr()){if(!e?.length)throw new TypeError('allowedOrigins: name the origins of the pages that may use this one, as in ["https://app.example"]');this.allowedOrigins=ir(e),this.allowedOrigins.includes("*")&&console.warn("MCP: the origin * lets any page use this one"),this.target=t}allows(e){return this.allowedOrigins.includes("*")||this.allowedOrigins.includes(e)}pin(e){this.pinnedOrigin=e}unpin(){this.pinnedOrigin=void 0}postMessage(e,t=this.pinnedOrigin??"*",n=[]){this.#r().postMessage(e,t=="null"?"*":t,n)}onMessage(e){let t=this.#r(),n=new AbortController;return addEventListener("message",s=>{s.source&&s.source===t&&e(s)},{signal:AbortSignal.any([n.signal,this.#e.signal])}),()=>n.abort()}onGone(e){let t=setInterval(()=>this.target?.closed&&e(),ss);return this.#e.signal.addEventListener("abort",()=>clearInterval(t)),()=>clearInterval(t)}onHide(e){let t=new AbortController;return addEventListener("pagehide",e,{signal:AbortSignal.any([t.signal,this.#e.signal])}),()=>t.abort()}destroy(){this.#e.abort()}#r(){if(this.#e.signal.aborted)throw new E("WindowControl has been destroyed","NOT_NOW");if(this.target)return this.target;throw new E("No page controls this one: open it in a frame or a popup of an MCP client (a popup whose server sends Cross-Origin-Opener-Policy has no opener)","WINDOW_GONE")}};function c(r,e={},...t){let n=document.createElement(r);for(let[s,o]of Object.entries(typeof e=="string"?{class:e}:e))s in n&&!s.includes("-")?Reflect.set(n,s,o):o!==""&&n.setAttribute(s,o);return n.append(...t.filter(s=>s!=null&&s!==!1)),n}function Pe(r){if(r.assignedSlot)return r.assignedSlot;let e=r.getRootNode();return r.parentElement??(e instanceof ShadowRoot?e.host:null)}var k=r=>document.getElementById(r);function D(r){return r<1e3?`${r} B`:r<1e6?`${(r/1e3).toFixed(1)} kB`:`${(r/1e6).toFixed(1)} MB`}var ut=()=>JSON.parse(k("server").textContent??""),ft=({title:r,name:e})=>r??e,$e="cloche/setupRequired";var os=1e3,gt=(r,{_meta:e})=>(e?.[O+"subscriptionId"]??r)==r,bt=(r,e,t)=>new Promise((n,s)=>{let{id:o,signal:i,timeout:a,onLost:l}=t,d=!1,h=setTimeout(s,a,new le(o)),u=r.onMessage(({method:f,params:m})=>{f!="notifications/subscriptions/acknowledged"||!gt(o,m)||(d=!0,clearTimeout(h),n())});r.rpc.request("subscriptions/listen",e,{id:o,timeout:0,signal:i}).then(()=>new T(-32e3,"The stream has ended"),f=>f).then(f=>{clearTimeout(h),u(),s(f);let m=()=>r.isConnected&&!i.aborted,g=()=>bt(r,e,t).catch(y=>m()&&l?.(y));d&&setTimeout(()=>m()&&g(),os)})});var cs=5e3,Le=class{serverInfo={};serverCapabilities={};instructions;protocolVersion="";timeout=dt;versions=ar;isGreeted=!1;capabilities={};#e=new Map;#r=new Map;#t;#n=new Map;#s;constructor(e,{name:t="cloche",version:n="0.1.0",handlers:s={},...o}={}){for(let i of Object.keys(s))this.capabilities[i.split("/")[0]]={};Object.assign(this,o),this.#t=new Map(Object.entries({ping:()=>({}),...s})),this.transport=e,this.info={name:t,version:n}}connect(){return this.#s||(this.isGreeted||this.transport.serve(e=>this.#t.get(e)),this.transport.onMessage(({method:e,params:t={}})=>{this.#e.get(e)?.forEach(n=>w(()=>n(t)))}),this.#s=this.#h().then(()=>{for(let e of this.#e.keys())this.#d(e);return this})),this.#s}get isConnected(){return this.transport.isConnected}get isStateless(){return this.protocolVersion==B}close(){this.transport.close()}listTools(e){return this.#l("tools",e)}listResources(e){return this.#l("resources",e)}listResourceTemplates(e){return this.#l("resourceTemplates",e,"resources/templates")}listPrompts(e){return this.#l("prompts",e)}callTool(e,t={},n){return this.request("tools/call",{name:e,arguments:t},n)}readResource(e,t){return this.request("resources/read",{uri:e},t)}getPrompt(e,t={},n){return this.request("prompts/get",{name:e,arguments:t},n)}async ping(e){return await this.connect(),this.request(this.isStateless?"server/discover":"ping",{},e)}async subscribe(e,t={}){await this.connect();let n=this.#n.get(e)??this.#i(e),{subscribers:s}=n,o={...t};return s.add(o),await n.ready,async()=>{s.delete(o)&&!s.size&&await n.end()}}#i(e){let t=M(),n=new AbortController,s=new Set,o=u=>{l(),s.forEach(({onError:p})=>w(()=>p?.(u)))},i=this.onNotification("notifications/resources/updated",u=>{u.uri==e&&gt(t,u)&&s.forEach(({onChange:p})=>w(()=>p?.(u)))}),a=this.transport.onClose(()=>o(new J)),l=async()=>{this.#n.get(e)==h&&(this.#n.delete(e),i(),a(),this.isConnected&&(n.abort(),this.isStateless||await this.#o("resources/unsubscribe",{uri:e})))},d=this.isStateless?this.#f({resourceSubscriptions:[e]},t,n.signal,o):this.#o("resources/subscribe",{uri:e}),h={subscribers:s,ready:d,end:l};return this.#n.set(e,h),d.catch(()=>l().catch(()=>{})),h}async request(e,t={},n){await this.connect();let s=await this.#o(e,t,n);for(let o=1;s.resultType=="input_required";o++){if(o==20)throw new T(-32600,"Too many questions: "+e);let i={};for(let[a,l]of Object.entries(s.inputRequests)){let d=this.#t.get(l.method);if(!d)throw new T(-32601,"Not available: "+l.method);i[a]=await d(l.params??{},n?.signal)}s=await this.#o(e,{...t,inputResponses:i,requestState:s.requestState},n)}return s}notify(e,t={}){this.transport.rpc.notify(e,t)}onNotification(e,t){let n=this.#e.get(e)??new Set;return this.#e.has(e)||this.#d(e),this.#e.set(e,n.add(t)),()=>{n.delete(t),!(n.size||this.#e.get(e)!=n)&&(this.#e.delete(e),this.#r.get(e)?.abort())}}#o(e,t,n,s=this.isStateless){let o=s?{...this.#c(),...t._meta}:t._meta;return this.transport.rpc.request(e,{...t,_meta:o},{timeout:this.timeout,...n})}#c(){return{[O+"protocolVersion"]:B,[O+"clientInfo"]:this.info,[O+"clientCapabilities"]:this.capabilities}}async#l(e,t,n=e){let s=[],o=new Set,i;do{o.add(i);let a=await this.request(n+"/list",{cursor:i},t);s.push(...a[e]??[]),i=a.nextCursor??void 0}while(!o.has(i));return s}async#h(){let e=this.versions.find(t=>t!=B);if(!e)return this.#p();if(!this.versions.includes(B))return this.#a(e);try{await this.#p(Math.min(cs,this.timeout))}catch(t){if(this.isGreeted)return void(this.protocolVersion=e);await this.#a(e).catch(n=>{if(isFinite(t.code))throw n;return this.#p()})}}async#p(e=this.timeout){let t=await this.#o("server/discover",{},{timeout:e},!0),n=t.supportedVersions?.find(s=>s==B);this.#u(n,t,t._meta?.[O+"serverInfo"])}async#a(e){let t={protocolVersion:e,capabilities:this.capabilities,clientInfo:this.info},n=await this.#o("initialize",t,{},!1);this.#u(n.protocolVersion,n,n.serverInfo),this.notify("notifications/initialized")}#u(e,{capabilities:t,instructions:n},s={}){if(!this.versions.includes(e))throw new T(-32022,hr(e));this.protocolVersion=e,this.serverCapabilities=t,this.instructions=n,this.serverInfo=s}#d(e){let t=cr.exec(e),n=!/^notif/.test(e)&&this.serverCapabilities?.extensions?.[ot];if(!this.isStateless||!(t||n))return;let s=new AbortController;this.#r.set(e,s);let o=t?{[t[1]+"ListChanged"]:!0}:{[ot]:[e]};this.#f(o,M(),s.signal).catch(()=>s.abort())}#f(e,t,n,s){let{timeout:o}=this;return bt(this.transport,{notifications:e,_meta:this.#c()},{id:t,signal:n,timeout:o,onLost:s})}};var ls=700,ds=100,hs=100,Ue=2,je=class{#e=0;#r=0;#t=!1;#n=!1;#s="";#i=0;#o=new Set;#c;#l;constructor(e,t,n,s){this.shade=e,this.box=t,this.buttons=n,this.changed=s}start(){this.stop(),this.#s="",this.#n=!1,this.#d(),this.changed(!1),this.#h(),this.#p(),this.#a()}stop(){this.#t=!1,this.#c?.abort(),this.#l?.disconnect(),cancelAnimationFrame(this.#i)}counts(e){return this.#u(),e.isTrusted&&this.#t}#h(){this.#c=new AbortController;let{signal:e}=this.#c,t={signal:e,capture:!0,passive:!0},n=()=>this.#d();addEventListener("scroll",n,t),addEventListener("resize",n,t),globalThis.visualViewport?.addEventListener("resize",n,t),globalThis.visualViewport?.addEventListener("scroll",n,t),document.addEventListener("visibilitychange",n,t),this.shade.addEventListener("pointerdown",()=>this.#b(),t),this.shade.addEventListener("keydown",s=>this.#m(s),t);for(let s of["pointerup","pointercancel","keyup"])addEventListener(s,()=>this.#w(),t);addEventListener("pointermove",s=>s.buttons===0&&this.#w(),t)}#p(){if(this.#o.clear(),!("isVisible"in IntersectionObserverEntry.prototype))return;let e={trackVisibility:!0,delay:hs,threshold:[0,1]};this.#l=new IntersectionObserver(t=>{for(let n of t){let{isVisible:s,target:o}=n;s?this.#o.delete(o):this.#o.add(o)}},e);for(let t of this.#g())this.#o.add(t),this.#l.observe(t)}#a(){this.#i=requestAnimationFrame(()=>{this.#u(),this.#a()})}#u(){let e=this.#g(),t=[this.box,...e].map(ps).join(),n=t===this.#s;if(this.#s=t,!n||this.#n||!this.#x(e))return this.#d();let s=performance.now();this.#e+=Math.min(s-this.#r,ds),this.#r=s,!this.#t&&this.#e>=ls&&this.#f(!0)}#d(){this.#e=0,this.#r=performance.now(),this.#t&&this.#f(!1)}#f(e){this.#t=e,this.changed(e)}#b(){this.#u(),this.#t||(this.#n=!0)}#m(e){this.#u();let t=e.key==="Enter"||e.key===" ";this.#t&&!(t&&e.repeat)||(this.#n=!0,this.#d())}#w(){this.#n&&(this.#n=!1,this.#d())}#g(){return this.buttons.filter(e=>!e.hidden)}#x(e){if(document.hidden||!document.hasFocus())return!1;let t=this.box.offsetHeight<=innerHeight&&this.box.offsetWidth<=innerWidth;return[...e,...t?[this.box]:[]].every(us)&&e.every(n=>fs(n)&&(!this.#o.has(n)||ms(n)))}};function ps(r){let{x:e,y:t,width:n,height:s}=r.getBoundingClientRect();return`${e} ${t} ${n} ${s}`}function us(r){let{left:e,top:t,right:n,bottom:s,width:o}=r.getBoundingClientRect(),{offsetLeft:i,offsetTop:a,width:l,height:d}=globalThis.visualViewport??{offsetLeft:0,offsetTop:0,width:innerWidth,height:innerHeight};return o>0&&e>=i-1&&t>=a-1&&n<=i+l+1&&s<=a+d+1}function fs(r){let{left:e,top:t,right:n,bottom:s}=r.getBoundingClientRect(),[o,i]=[(e+n)/2,(t+s)/2],a=r.getRootNode();return[[o,i],[e+Ue,i],[n-Ue,i],[o,t+Ue],[o,s-Ue]].every(([d,h])=>a.elementFromPoint(d,h)===r)}function ms(r){for(let e=r;e;e=Pe(e)){let{opacity:t,filter:n,transform:s}=getComputedStyle(e);if(t!=="1"||n!=="none"||s!=="none")return!0}return!1}var wt=class{#e=new Set;#r=new Map;begin(e){this.#e.add(e)}end(e){if(this.#e.delete(e),this.#e.size>0)return;let t=[...this.#r.values()].flatMap(n=>[...n.values()]);this.#r.clear();for(let n of t)n()}when(e,t,n){if(this.#e.size===0)return n();let s=this.#r.get(e)??new Map;s.delete(t),this.#r.set(e,s.set(t,n))}forget(e){this.#r.delete(e)}},gs=globalThis,bs=Symbol.for("cloche.calm"),yt=gs[bs]??=new wt;var xt=29e5;function Or(r,e){let t=c("textarea",{rows:1,class:"lines code",placeholder:"base64",spellcheck:!1}),n=c("input",{type:"file","aria-label":`File for ${r.title??e.name}`});r.contentMediaType&&(n.accept=r.contentMediaType);let s=c("span",{class:"about",role:"status"});t.value=r.default??"",n.onchange=async()=>{let[i]=n.files??[];i&&(s.textContent=i.size>xt?`${i.name} is larger than ${xt/1e6} MB.`:`Reading ${i.name} \u2026`,!(i.size>xt)&&(t.value=await ws(i),s.textContent=`${i.name}, ${i.size} bytes`))},t.oninput=()=>s.textContent="";let o=N(t,r,e);return o.insertBefore(c("div","actions",n,s),t),{element:o,read:()=>{let i=t.value.replaceAll(/\s/g,"");if(i==="")return P(t,e);if(!/^[A-Za-z0-9+/_-]*={0,2}$/.test(i))throw new b("Choose a file, or write base64",t);return i},write:i=>t.value=i??""}}function ws(r){return new Promise((e,t)=>{let n=new FileReader;n.onload=()=>e(String(n.result).split(",")[1]??""),n.onerror=()=>t(n.error),n.readAsDataURL(r)})}function Tr(r,e,t){let n=c("input",{type:"file"});r.contentMediaType&&(n.accept=r.contentMediaType);let s=c("span",{class:"about",role:"status"}),o="",i=l=>s.textContent=l;n.onchange=()=>{let[l]=n.files??[];o=l?t(l):"",i(l?`${l.size.toLocaleString("en")} bytes. It stays on this device.`:"")};let a=N(n,r,e);return n.after(s),{element:a,read:()=>o||P(n,e),write:l=>{o=l??"",o||(n.value=""),i(o)}}}function $(r,e,t=0){let n=typeof r?.$ref=="string"&&r.$ref.startsWith("#/")?r.$ref.slice(2).split("/"):null;if(!n||t>20)return r??{};let s=e;for(let a of n){let l=decodeURIComponent(a).replaceAll("~1","/").replaceAll("~0","~");s=Object.hasOwn(s??{},l)?s[l]:void 0}let{$ref:o,...i}=r;return{...$(s??{},e,t+1),...i}}function kr(r,e){let t=Array.isArray(r.type)?r.type.map(s=>({...r,type:s})):[];return(r.anyOf??r.oneOf??t).map(s=>$(s,e)).filter(s=>s.type!=="null")}function he(r,e){let t=s=>typeof s=="string"?s:JSON.stringify(s);if(Array.isArray(r.enum)){let s=r.enumNames?.length===r.enum.length?r.enumNames:[];return r.enum.map((o,i)=>({value:o,title:String(s[i]??t(o))}))}let n=(r.oneOf??r.anyOf??[]).map(s=>$(s,e));return n.length===0||!n.every(s=>"const"in s)?null:n.map(s=>({value:s.const,title:String(s.title??t(s.const))}))}function Ar(r){let e=["title","description","default","examples"].filter(t=>r[t]!==void 0);return Object.fromEntries(e.map(t=>[t,r[t]]))}function pe(r){if(typeof r.type=="string")return r.type;if(r.properties)return"object";if(r.items)return"array"}function ys(r){let[,e]=r.split(/\bExamples?:/i,2),[t,n]=(e??"").trimStart().split(/[\n;]/,2),s=t.trimEnd(),o=n===void 0&&s.endsWith(".")?s.slice(0,-1):s;return/^[`"']?([^`"']+)[`"']?$/.exec(o.trimEnd())?.[1].trim()??""}function Q(r){let[e]=Array.isArray(r.examples)?r.examples:[];return e!==void 0?typeof e=="string"?e:JSON.stringify(e):ys(String(r.description??""))}function Cr(r,e){try{return new RegExp(r,"u").test(e)}catch{return!0}}var xs=200,Es=100,vs=0;function _r(r,e){let t=`suggestions-${++vs}`,n=c("datalist",{id:t}),s=c("input",{type:"text",autocomplete:"off"});s.setAttribute("list",t);let o,i=0,a=async()=>{let d=++i,h=await e(r,s.value).catch(()=>[]);d===i&&n.replaceChildren(...h.slice(0,Es).map(u=>new Option(u,u))),n.isConnected||s.after(n)},l=()=>{clearTimeout(o),o=setTimeout(a,xs)};return s.addEventListener("input",l),s.addEventListener("focus",l),s}var b=class extends Error{constructor(e,t){super(e),this.element=t}};function ue(r){if(r.draft)return r.draft();try{return r.read()}catch{return}}var Nr={date:"date",time:"time","date-time":"datetime-local",email:"email",uri:"url",color:"color",password:"password"},Ss={email:"Enter an e-mail address",url:"Enter a whole address, such as https://example.com"},Et=0;function fe(r,e){let t=$(r,e.root);if("const"in t)return Ur(t);if(he(t,e.root))return Lr(t,e);let n=kr(t,e.root);if(n.length===1)return fe({...n[0],...Ar(t)},e);if(n.length>1)return Rs(t,n,e);let s=String(pe(t));return Object.hasOwn(Rr,s)?Rr[s](t,e):me(t,R(t,e.name))}var Rr={boolean:As,integer:Mr,number:Mr,string:$r,array:_s,object:(r,e)=>r.properties?De(r,e):Ns(r,e),null:()=>Ur({const:null})},R=(r,e)=>String(r.title??e),Pr=r=>"default"in r?r.default??"":Q(r);function N(r,e,{name:t,required:n}){let s=r.id=`field-${++Et}`;n&&(r.required=!0);let o=c("label",{htmlFor:s},R(e,t));n&&o.append(" ",c("span","required","required"));let i=e.description&&c("span",{id:`${s}-about`,class:"about"},e.description),a=c("span",{id:`${s}-problem`,class:"problem",role:"alert"});return r.setAttribute("aria-describedby",(i?i.id+" ":"")+a.id),c("div","field",o,r,i,a)}function $r(r,e){if(r.format==="picked-file"&&e.pick)return Tr(r,e,e.pick);if(r.contentEncoding==="base64"||r.format==="byte")return Or(r,e);let t=Object.hasOwn(Nr,r.format)?Nr[r.format]:void 0,n=/time/.test(t??"")?"1":"",s=e.suggest?_r(e.name,e.suggest):t?c("input",{type:t,step:n,...t==="password"&&{autocomplete:"off"}}):Os();return s.placeholder=Q(r),s.value=Ir(Pr(r),t),{element:N(s,r,e),read:()=>{let o=s.value;if(o==="")return P(s,e);if(s.validity.typeMismatch)throw new b(Ss[s.type]??"This does not fit",s);return Ts(o,r,s),t==="datetime-local"?ks(o):o},write:o=>s.value=o==null?"":Ir(o,t)}}function Os(){let r=c("textarea",{rows:1,class:"lines",title:"Shift+Enter starts a new line"});return r.addEventListener("keydown",e=>{e.key!=="Enter"||e.shiftKey||e.isComposing||(e.preventDefault(),!e.ctrlKey&&!e.metaKey&&r.form?.requestSubmit())}),r}function Ts(r,{minLength:e,maxLength:t,pattern:n},s){let o=[...r].length;if(e!==void 0&&o<e)throw new b(`At least ${e} characters`,s);if(t!==void 0&&o>t)throw new b(`At most ${t} characters`,s);if(n!==void 0&&!Cr(n,r))throw new b(`Must match ${n}`,s)}function ks(r){let e=-new Date(r).getTimezoneOffset(),t=n=>String(Math.floor(Math.abs(n))).padStart(2,"0");return`${r}${r.length===16?":00":""}${e<0?"-":"+"}${t(e/60)}:${t(e%60)}`}function Ir(r,e){let t=typeof r=="string"?r:JSON.stringify(r);return e==="datetime-local"?t.replace(/(?:Z|[+-]\d\d:\d\d)$/,""):t}function P(r,e){if(e.required)throw new b("Required",r)}function Mr(r,e){let t=r.type==="integer",{minimum:n="",maximum:s=""}=r,o=c("input",{type:"number",step:t?"1":"any",min:n,max:s});return o.placeholder=Q(r),o.value=Pr(r),{element:N(o,r,e),read:()=>{if(o.validity.badInput)throw new b("Enter a number",o);if(o.value==="")return P(o,e);let i=Number(o.value);if(t&&!Number.isInteger(i))throw new b("Enter a whole number",o);if(i<(r.minimum??-1/0))throw new b(`At least ${r.minimum}`,o);if(i>(r.maximum??1/0))throw new b(`At most ${r.maximum}`,o);return i},write:i=>o.value=i??""}}function As(r,e){if(!e.required&&r.default===void 0)return Lr({...r,enum:[!0,!1]},e);let t=c("input",{type:"checkbox",checked:r.default===!0}),n=N(t,r,{...e,required:!1});return n.classList.add("check"),{element:n,read:()=>t.checked,write:s=>t.checked=s===!0}}function Lr(r,e){let t=he(r,e.root)??[],n=c("select",{},(!e.required||r.default===void 0)&&new Option("\u2013",""));t.forEach(({title:o},i)=>n.append(new Option(o,String(i))));let s=o=>{let i=t.findIndex(a=>JSON.stringify(a.value)===JSON.stringify(o));n.value=i<0?"":String(i)};return s(r.default),{element:N(n,r,e),read:()=>n.value===""?P(n,e):t[Number(n.value)].value,write:s}}function Cs(r,e){let t=he($(r.items,e.root),e.root)??[],n=t.map(({title:f})=>{let m=c("input",{type:"checkbox",id:`field-${++Et}`});return{box:m,element:c("div","field check",c("label",{htmlFor:m.id},f),m)}}),s=`field-${++Et}`,o=c("span",{id:`${s}-problem`,class:"problem",role:"alert"}),i=e.required&&c("span","required","required"),a=c("legend",{},R(r,e.name)," ",i),l=r.description&&c("span","about",r.description),d={id:s,class:"several",tabIndex:-1,"aria-describedby":o.id},h=c("fieldset",d,a,l,...n.map(f=>f.element),o),u=f=>n.forEach(({box:m},g)=>m.checked=Array.isArray(f)&&f.includes(t[g].value));return u(r.default),{element:h,read:()=>{let f=t.filter((y,_)=>n[_].box.checked).map(y=>y.value);if(f.length===0&&!e.required)return;let{minItems:m=0,maxItems:g=1/0}=r;if(f.length<m)throw new b(`Choose at least ${m}`,h);if(f.length>g)throw new b(`Choose at most ${g}`,h);return f},write:u}}var Ur=r=>({element:c("div",{hidden:!0}),read:()=>r.const,write:()=>{}});function St(r,e){let t=c("div"),n=e&&c("legend",{},R(r,e)),s=e&&r.description&&c("span","about",r.description);return[c("fieldset",{},n,s,t),t]}function De(r,e){let[t,n]=St(r,e.name),s=new Map,o=()=>{for(let[p,f]of Object.entries(r.properties??{})){let m=(r.required??[]).includes(p),{root:g,depth:y,suggest:_,pick:Ae}=e,ae=fe(f,{root:g,depth:y+1,name:p,required:m,suggest:_,pick:Ae});s.set(p,ae),n.append(ae.element)}},i=!e.required&&e.name!==""&&(r.required??[]).length>0,a=e.depth>2||i,l=R(r,e.name),d=()=>{s.clear(),n.replaceChildren(qe(`Add ${l}`,h))},h=()=>{n.replaceChildren(),o(),n.append(qe(`Remove ${l}`,d)),jr(n)};a?d():o();let u=p=>{let f=[...s].map(([y,_])=>[y,p(_)]),m=Object.fromEntries(f.filter(([,y])=>y!==void 0));return Object.keys(m).length===0&&!e.required&&e.name?void 0:m};return{element:t,read:()=>u(p=>p.read()),draft:()=>u(ue),find:p=>s.get(p)?.element.querySelector("input, select, textarea, fieldset[id]")??null,write:p=>{a&&p&&!s.size?h():a&&!p&&d();for(let[f,m]of s)m.write(Object.hasOwn(p??{},f)?p[f]:void 0)}}}var qe=(r,e,t=r)=>c("button",{type:"button",onclick:e,"aria-label":t},r),jr=r=>r.querySelector("input, select, textarea, button")?.focus();function qr(r,e,t){let n=R(r,e.name),[s,o]=St(r,e.name),i=new Map,a=()=>{let p=t(i.size+1),f=()=>(i.delete(m),m.remove(),l.focus()),m=c("div","row",p.element,qe("\u2715",f,`Remove from ${n}`));return i.set(m,p),o.append(m),p},l=qe("Add",()=>jr(a().element),`Add to ${n}`);return s.append(l),{element:s,read:()=>{let p=[...i.values()].map(f=>f.read());if(p.length<(r.minItems??0))throw new b(`At least ${r.minItems}`,s);return p.length||e.required?p:void 0},write:p=>{i.clear(),o.replaceChildren();for(let f of p)a().write(f)},draft:()=>{let p=[...i.values()].map(ue).filter(f=>f!==void 0);return p.length?p:void 0}}}function _s(r,e){if(he($(r.items,e.root),e.root))return Cs(r,e);let t=R(r,e.name);if(pe($(r.items??{},e.root))==="array"||r.prefixItems)return me(r,t,e);let s=qr(r,e,i=>fe(r.items??{},vt(e,`${t} ${i}`))),o=i=>s.write(Array.isArray(i)?i:[]);return o(r.default),{...s,write:o}}var vt=({root:r,depth:e,pick:t},n)=>({root:r,depth:e+1,name:n,required:!0,pick:t});function Ns(r,e){let t=r.additionalProperties;if(t===!1)return De({...r,properties:{}},e);if(typeof t!="object")return me(r,R(r,e.name),e);let n=qr({...r,minItems:0},e,()=>{let a=$r({title:"Key"},vt(e,"Key")),l=fe(t,vt(e,"Value"));return{element:c("div","pair",a.element,l.element),read:()=>[a.read(),l.read()],write:([d,h])=>(a.write(d),l.write(h))}}),s=()=>{let a=n.read();return a&&Object.fromEntries(a)},o=()=>Object.fromEntries((n.draft?.()??[]).filter(a=>a?.[0])),i=a=>n.write(Object.entries(a??{}));return i(r.default),{...n,read:s,write:i,draft:o}}function Rs(r,e,t){let[n,s]=St(r,t.name),o=e.map((u,p)=>new Option(u.title??pe(u)??`choice ${p+1}`,String(p))),i=c("select",{"aria-label":`Kind of ${R(r,t.name)}`},...o),a=e.map(u=>fe(u,{...t,depth:t.depth+1})),l=()=>s.replaceChildren(a[Number(i.value)].element);i.addEventListener("change",l),n.insertBefore(i,s),l();let d=u=>{let p=e.findIndex(f=>Is(u,pe(f)));p>=0&&(i.value=String(p)),l(),a[Number(i.value)].write(u)};r.default!==void 0&&r.default!==null&&d(r.default);let h=()=>a[Number(i.value)];return{element:n,read:()=>h().read(),write:d,draft:()=>ue(h())}}function Is(r,e){return e==="array"?Array.isArray(r):e==="integer"?Number.isInteger(r):e==="object"?typeof r=="object"&&r!==null&&!Array.isArray(r):typeof r===e}function me(r,e,t){let n=c("textarea",{rows:2,spellcheck:!1,class:t?"code lines":"code tall"});return n.placeholder=Q(r),n.value=r.default===void 0?Q(r):JSON.stringify(r.default,null,2),{element:N(n,{...r,title:e},t??{root:r,depth:0,name:e}),read:()=>{if(!n.value.trim())return t?P(n,t):void 0;try{return JSON.parse(n.value)}catch(s){throw new b(`This is not JSON: ${s.message}`,n)}},write:s=>n.value=s===void 0?"":JSON.stringify(s,null,t?0:2)}}var L=class{constructor(e,t,n){this.schema=e,this.body=De(e,{root:e,depth:0,name:"",suggest:t,pick:n}),this.raw=me({},"Arguments as JSON"),this.raw.element.hidden=!0,this.element=c("div","fields",this.body.element,this.raw.element)}get isRaw(){return!this.raw.element.hidden}setRaw(e){if(e===this.isRaw)return;Dr(this.element);let t=e?ue(this.body)??{}:this.#e();this.raw.element.hidden=!e,this.body.element.hidden=e,this.write(t)}#e(){let e=this.read(),t=Object.keys(e).filter(o=>!Object.hasOwn(this.schema.properties??{},o));if(!t.length)return e;let n=this.raw.element.querySelector("textarea")??void 0,s=new b(`The form has no field for ${t.join(", ")}: remove it, or stay with JSON`,n);throw Ot(s),s}read(){Dr(this.element);try{let e=(this.isRaw?this.raw:this.body).read()??{};if(typeof e!="object"||Array.isArray(e))throw new b("Arguments must be one JSON object");return e}catch(e){throw e instanceof b&&Ot(e),e}}refuse(e,t){let n=this.isRaw?null:this.body.find?.(e);return n&&Ot(new b(t,n)),!!n}write(e){(this.isRaw?this.raw:this.body).write(e)}};function Dr(r){for(let e of r.querySelectorAll(".problem"))e.textContent="";for(let e of r.querySelectorAll("[aria-invalid]"))e.removeAttribute("aria-invalid")}function Ot({element:r,message:e}){if(!r)return;r.setAttribute("aria-invalid","true");let n=r.getRootNode().getElementById(`${r.id}-problem`);n&&(n.textContent=e),r.focus()}function Hr(r){let e=typeof r=="string"&&URL.canParse(r)?new URL(r):null,t=e?.protocol==="https:"||e?.protocol==="http:";return e&&t&&!e.username&&!e.password?e:null}function Fr(r){globalThis.open(r.href,"_blank","noopener,noreferrer")}var Ms=0,He=class{#e=[];#r;#t;#n=!1;#s=null;#i;constructor(e,t,n){this.panel=e,this.stage=t,this.giveBack=n;let s=`cloche-question-${++Ms}`;this.title=c("h2",{id:`${s}-title`}),this.text=c("p",{id:`${s}-text`}),this.details=c("pre",{tabIndex:0}),this.form=c("form",{class:"form",noValidate:!0}),this.problem=c("p",{class:"danger",role:"alert"}),this.time=c("span",{class:"time",role:"timer"}),this.refuse=c("button",{class:"refuse",onclick:()=>this.#m(!1)}),this.lasting=c("button","lasting"),this.accept=c("button","accept main");let o=c("div","row",this.time,c("span","buttons",this.refuse,this.lasting,this.accept)),a={class:"question",role:"alertdialog",tabIndex:-1,...{"aria-modal":"true","aria-labelledby":this.title.id,"aria-describedby":this.text.id}};this.box=c("div",a,this.title,this.text,this.details,this.problem,this.form,o),this.shade=c("div",{class:"shade",hidden:!0},this.box),this.#i=new je(this.shade,this.box,[this.lasting,this.accept],l=>this.#p(l)),this.accept.addEventListener("click",l=>this.#i.counts(l)&&this.#l()),this.form.addEventListener("submit",l=>{l.preventDefault(),this.#i.counts(l)&&this.#l()}),this.form.addEventListener("input",()=>this.#h()),this.lasting.addEventListener("click",l=>this.#i.counts(l)&&this.#m("page")),this.shade.addEventListener("keydown",l=>this.#f(l)),e.append(this.shade)}ask(e,t,n=()=>{}){return new Promise(s=>{this.#e.push({key:e,question:t,resolve:s,seen:n}),this.#e.length===1&&this.#o()})}unask(e){let t=this.#e.findIndex(n=>n.key===e);if(t===0)this.dismiss();else if(t>0){let[{question:n,resolve:s}]=this.#e.splice(t,1);s(Tt(n))}}clear(){for(let{question:e,resolve:t}of this.#e.splice(1))t(Tt(e));this.dismiss()}dismiss(){this.#e.length>0&&this.#m(Tt(this.#e[0].question))}get isOpen(){return this.#e.length>0}#o(){let{question:e}=this.#e[0];this.title.textContent=e.title,this.text.textContent=e.text??"",this.details.textContent=Us(e.details),this.details.hidden=this.details.textContent==="",this.refuse.textContent=e.refuse??"Refuse",this.accept.textContent=e.accept??"Allow",this.lasting.textContent=e.lasting??"",this.lasting.hidden=!e.lasting,this.problem.textContent=e.problem??"",this.problem.hidden=!e.problem,this.#c(e),this.#t=void 0,this.shade.hidden=!1,yt.begin(this),this.#u(),this.#i.start(),clearInterval(this.#r),this.#r=setInterval(()=>this.#a(),250),this.#a()}#c({form:e,values:t}){this.#s=e?new L(e):null,this.#s&&t&&this.#s.write(t),this.form.replaceChildren(...this.#s?[this.#s.element]:[]),this.form.hidden=!e}#l(){let{question:e}=this.#e[0];if(this.#s){try{this.#m({content:this.#s.read()})}catch(n){if(!(n instanceof b))throw n}return}let t=e.link?Hr(e.link):null;t&&Fr(t),this.#m(!0)}#h(){let e=this.#e[0];if(!e||this.#t===void 0)return;let t=performance.now()+kt(e.question)*1e3;t-this.#t<Ps||(this.#t=t,e.seen())}#p(e){for(let n of[this.accept,this.lasting])n.setAttribute("aria-disabled",String(!e));let t=this.#e[0];!e||!t||this.#t!==void 0||(this.#t=performance.now()+kt(t.question)*1e3,t.seen())}#a(){if(this.#e.length===0)return;let e=kt(this.#e[0].question),t=this.#t===void 0?e:(this.#t-performance.now())/1e3;if(t<=0)return this.#m(null);let n=zr(this.#e[0].question)?"cancels":"means no";this.time.textContent=`No answer ${n}: ${String(Math.ceil(t)).padStart(String(e).length,Ls)} s`}#u(){let e=this.#d(),t=e.activeElement!==null;this.#n||=e.activeElement?.localName==="iframe",this.stage.inert=!0,t&&this.box.focus()}#d(){return this.panel.getRootNode()}#f(e){e.key==="Escape"?(e.preventDefault(),e.stopPropagation(),this.dismiss()):e.key==="Tab"&&this.#b(e)}#b(e){let t=[...this.form.querySelectorAll("input, select, textarea, button")].map($s),n=[this.details,...t,this.refuse,this.lasting,this.accept].filter(a=>!a.closest("[hidden]")),s=this.#d(),o=n.findIndex(a=>a===s.activeElement),i=o<0?e.shiftKey?n.length-1:0:o+(e.shiftKey?-1:1);e.preventDefault(),n[(i+n.length)%n.length].focus()}#m(e){let t=this.#e.shift();this.#e.length>0?this.#o():this.#w(),t?.resolve(e)}#w(){clearInterval(this.#r),this.#i.stop();let e=this.#d(),t=this.box.contains(e.activeElement);this.shade.hidden=!0,this.stage.inert=!1,t&&this.#n&&this.giveBack(),this.#n=!1,yt.end(this)}},Ps=5e3,$s=r=>r,zr=({form:r,link:e})=>r!==void 0||e!==void 0,Tt=r=>zr(r)?"cancel":!1,Ls="\u2007",kt=r=>r.seconds??30;function Us(r){if(r==null)return"";if(typeof r!="object")return String(r);let e=Object.entries(r).map(([t,n])=>[t,js(n)]);return e.length===1?e[0][1]:e.map(([t,n])=>`${t}: ${n}`).join(`
`)}var js=r=>typeof r=="string"?r:JSON.stringify(r)??"";var Vr=`/* The style variables of MCP Apps, all 76, as our own pages have them, and as views get them where the page around them
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
`;var At=Object.fromEntries(Vr.split(`
`).filter(r=>r.startsWith("  --")).map(r=>r.slice(2,-1).split(": ")));var Gr=`/* <mcp-app> and the questions to a person. Made into a style sheet by script: a page's \`style-src\` need not allow anything. */
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
`;var Fe;function Wr(){return Fe||(Fe=new CSSStyleSheet,Fe.replaceSync(Gr.replaceAll(/var\((--[\w-]+)\)/g,(r,e)=>`var(${e}, ${At[e]})`))),Fe}function Br(r){let e=r.getAttribute("theme");if(e==="light"||e==="dark")return e;let t=getComputedStyle(r).colorScheme,n=document.querySelector("meta[name=color-scheme]"),s=(t==="normal"?n?.content??"":t).split(" "),[o,i]=[s.includes("light"),s.includes("dark")];return o&&i?Jr().matches?"dark":"light":o||i?i?"dark":"light":Fs(Hs(r))?"dark":"light"}var Jr=()=>matchMedia("(prefers-color-scheme: dark)");function Hs(r){for(let e=r;e;e=Pe(e)){let t=getComputedStyle(e).backgroundColor;if(!/^(transparent|rgba\(.*, 0\)|.* \/ 0\))$/.test(t))return t}return"rgb(255, 255, 255)"}function Fs(r){let[e,t]=r.split("("),[n,s,o]=t.split(/[^\w.+-]+/).map(Number).filter(a=>!isNaN(a));if(/^(ok)?l(ab|ch)$/.test(e))return n/(e.startsWith("ok")?1:100)<.5;let i=e.startsWith("rgb")?255:1;return(.299*n+.587*s+.114*o)/i<.5}function Kr(r){let e=new MutationObserver(r);for(let n of[document.documentElement,document.body])e.observe(n,{attributes:!0});e.observe(document.head,{childList:!0,subtree:!0,attributes:!0});let t=Jr();return t.addEventListener("change",r),()=>{e.disconnect(),t.removeEventListener("change",r)}}var Ct=class{stopWatching=()=>{};#e=new Map;constructor(){this.host=c("div");let e=this.host.attachShadow({mode:"open"});e.adoptedStyleSheets=[Wr()],this.panel=c("dialog","over");let t=c("div");e.append(this.panel),this.dialog=new He(this.panel,t,()=>{});for(let n of["role","aria-modal","aria-labelledby","aria-describedby"])this.panel.setAttribute(n,this.dialog.box.getAttribute(n)??""),this.dialog.box.removeAttribute(n);this.panel.addEventListener("cancel",n=>{n.preventDefault(),this.dialog.dismiss()}),this.panel.addEventListener("close",()=>this.panel.open||this.dialog.clear())}ask(e,t,n=()=>{},s={}){let o=this.#e.get(e),i=o?.seen??new Map;if(i.set(s,n),o)return o.said;let a=this.#r(e,t,()=>i.forEach(l=>l()));return this.#e.set(e,{said:a,seen:i}),a}async#r(e,t,n){this.host.isConnected||document.body.append(this.host);let s=this.dialog.ask(e,t,n);this.panel.open||(this.#t(),this.stopWatching=Kr(()=>this.#t()),this.panel.showModal(),this.dialog.box.focus());let o=await s;return this.#e.delete(e),this.dialog.shade.hidden&&(this.stopWatching(),this.panel.close(),this.host.remove()),o}unask(e){this.dialog.unask(e)}forget(e){for(let[t,{seen:n}]of[...this.#e])n.delete(e)&&n.size===0&&this.unask(t)}#t(){this.panel.style.colorScheme=Br(document.body)}},zs,_t=()=>zs??=new Ct;var Nt=(r={},e={})=>({readOnlyHint:r.readOnlyHint===!0,untrustedContentHint:r.openWorldHint!==!1,consequentialHint:r.readOnlyHint!==!0&&(r.destructiveHint===!0||e.confirmRequired===!0)});var ge={string:r=>typeof r=="string",number:r=>typeof r=="number",integer:r=>Number.isInteger(r),boolean:r=>typeof r=="boolean",null:r=>r===null,array:Array.isArray,object:S},Vs=/^(\$(anchor|vocabulary|(dynamic|recursive)(Anchor|Ref))|unevaluated(Items|Properties)|disallow|divisibleBy|extends)$/,Gs=/^(m(in|ax|ul)|exclusive)/,Qr=1e4;function be(r,e,t="",n={root:r}){if(r===!1)return`${t||"the arguments"} is not expected`;if(r===void 0||r===!0)return"";if(!S(r))throw new TypeError(`${t||"it"} has no schema there`);let s=Object.keys(r).find(i=>Vs.test(i));if(s)throw new TypeError(`${s} is not supported`);let o={schema:r,path:t,document:n};for(let[i,a]of Ys)if(a(e))for(let[l,d]of Object.entries(i)){if(!Object.hasOwn(r,l))continue;if(Gs.test(l)&&!Number.isFinite(r[l]))throw new TypeError(`${l} is no number`);let h=d(r[l],e,o);if(h)return h}return""}var en=({path:r})=>r||"the arguments",A=({path:r,document:e},t,n,s=r)=>be(t,n,s,e),Pt=({path:r},e)=>(r?`${r}.`:"")+e.slice(0,60),Ws=r=>typeof r=="object"?{}.toString.call(r).slice(8,-1).replace(/^(Null|Array|Object)$/,e=>e.toLowerCase()):typeof r;function Yr(r){let e=0;for(let t of r)e++;return e}var x=(r,e,t)=>r?"":`${en(e)} must ${t}`,Y=r=>JSON.stringify(r,(e,t)=>S(t)?Object.fromEntries(Object.entries(t).sort(([n],[s])=>n<s?-1:1)):t)??"",Xr=new Map;function $t(r){let e=Xr.get(r);if(e)return e;let t;try{t=new RegExp(r,"u")}catch{t=new RegExp(r)}return Xr.set(r,t),t}var Bs={$ref:(r,e,t)=>A(t,Xs(r,t.document.root)??null,e),type:(r,e,t)=>{let n=[r].flat();return x(n.some(s=>ge[s]?.(e)),t,`be ${n.join(" or ")}, not ${Ws(e)}`)},enum:(r,e,t)=>x(r.map(Y).includes(Y(e)),t,`be one of ${JSON.stringify(r).slice(0,200)}`),const:(r,e,t)=>x(Y(r)===Y(e),t,`be ${Y(r).slice(0,200)}`),allOf:(r,e,t)=>I(r,n=>A(t,n,e)),anyOf:(r,e,t)=>Zr(r,e,t)[0],oneOf:(r,e,t)=>{let[n,s]=Zr(r,e,t);return n||x(s==1,t,`fit exactly one of ${r.length} alternatives, and fits ${s}`)},not:(r,e,t)=>x(!!A(t,r,e),t,"not be what the schema excludes"),if:(r,e,t)=>A(t,A(t,r,e)?t.schema.else:t.schema.then,e)},Js={minimum:(r,e,t)=>x(e>=r,t,`be at least ${r}`),maximum:(r,e,t)=>x(e<=r,t,`be at most ${r}`),exclusiveMinimum:(r,e,t)=>x(e>r,t,`be more than ${r}`),exclusiveMaximum:(r,e,t)=>x(e<r,t,`be less than ${r}`),multipleOf:(r,e,t)=>{let n=e/r,s=Math.abs(n-Math.round(n));return x(s<=4*Number.EPSILON*Math.max(1,Math.abs(n)),t,`be a multiple of ${r}`)}},Ks={minLength:(r,e,t)=>x(Yr(e)>=r,t,`have at least ${r} characters`),maxLength:(r,e,t)=>x(Yr(e)<=r,t,`have at most ${r} characters`),pattern:(r,e,t)=>x(e.length<=Qr,t,`have at most ${Qr} characters, because of its pattern`)||x($t(r).test(e),t,`match ${r.slice(0,200)}`)},Qs={minItems:(r,e,t)=>x(e.length>=r,t,`have at least ${r} items`),maxItems:(r,e,t)=>x(e.length<=r,t,`have at most ${r} items`),uniqueItems:(r,e,t)=>x(!r||new Set(e.map(Y)).size==e.length,t,"have no item twice"),prefixItems:(r,e,t)=>Rt(e,t,n=>r[n]),items:(r,e,t)=>{if(Array.isArray(r))return Rt(e,t,s=>s<r.length?r[s]:t.schema.additionalItems);let n=t.schema.prefixItems?.length??0;return Rt(e,t,s=>s<n?!0:r)},contains:(r,e,t)=>{let{minContains:n=1,maxContains:s=1/0}=t.schema,o=e.filter(i=>!A(t,r,i)).length;return x(o>=n&&o<=s,t,"contain what the schema asks for, so many times")}},Lt={required:(r,e,t)=>I(r,n=>Object.hasOwn(e,n)?"":`${Pt(t,n)} is missing`),properties:(r,e,t)=>It(e,t,n=>Object.hasOwn(r,n)?[r[n]]:[]),patternProperties:(r,e,t)=>{let n=Object.keys(r);return It(e,t,s=>n.filter(o=>$t(o).test(s)).map(o=>r[o]))},additionalProperties:(r,e,t)=>{let{properties:n={},patternProperties:s={}}=t.schema,o=Object.keys(s).map($t),i=a=>Object.hasOwn(n,a)||o.some(l=>l.test(a));return It(e,t,a=>i(a)?[]:[r])},propertyNames:(r,e,t)=>I(Object.keys(e),n=>{let s=Pt(t,n);return A(t,r,n,s)&&`${s} is not a name that is expected`}),minProperties:(r,e,t)=>x(Object.keys(e).length>=r,t,`have at least ${r} members`),maxProperties:(r,e,t)=>x(Object.keys(e).length<=r,t,`have at most ${r} members`),dependentRequired:(r,e,t)=>I(Mt(r,e),n=>Lt.required(r[n],e,t)),dependentSchemas:(r,e,t)=>I(Mt(r,e),n=>A(t,r[n],e)),dependencies:(r,e,t)=>I(Mt(r,e),n=>Array.isArray(r[n])?Lt.required(r[n],e,t):A(t,r[n],e))},Ys=[[Bs,()=>!0],[Js,ge.number],[Ks,ge.string],[Qs,ge.array],[Lt,ge.object]];function I(r,e){for(let t of r){let n=e(t);if(n)return n}return""}function Zr(r,e,t){let n=r.map(i=>A(t,i,e)),s=n.filter(i=>!i).length;if(s)return["",s];let o=n.filter(i=>!/ must be \w+( or \w+)*, not /.test(i));return o.length==1?[o[0],0]:[`${en(t)} fits none of ${r.length} alternatives: ${n.join("; ").slice(0,300)}`,0]}var Rt=(r,e,t)=>I([...r.keys()],n=>A(e,t(n),r[n],`${e.path}[${n}]`)),It=(r,e,t)=>I(Object.entries(r),([n,s])=>I(t(n),o=>A(e,o,s,Pt(e,n)))),Mt=(r,e)=>Object.keys(r).filter(t=>Object.hasOwn(e,t));function Xs(r,e){if(r=="#")return e;if(!r.startsWith("#/"))return;let t=e;for(let n of decodeURIComponent(r.slice(2)).split("/")){let s=n.replaceAll("~1","/").replaceAll("~0","~");if(typeof t!="object"||t===null||!Object.hasOwn(t,s))return;t=t[s]}return t}var Ve=Symbol.for("cloche.webmcp.1"),Zs=700,H=new Map,tn,Ut=()=>[],{DOMException:rn}=globalThis,v=(r,e)=>new rn(e,r),X=()=>v("UnknownError","The tool's document is gone"),Z=()=>[...H.values(),...Ut()],we=r=>{tn.dispatchEvent(r)};function nn(r,e=Ut){tn=r,Ut=e,Object.defineProperty(document,Ve,{value:{tools:Z,run:eo,fire:we}})}function F(r){try{return r.document[Ve]}catch{return}}var jt=(r,e)=>e==self.origin||r.exposedTo.includes(e);function qt({inputSchema:r,check:e},t){try{return e?.(t)??(r?be(JSON.parse(r),t):"")}catch(n){return`the tool's inputSchema cannot be checked: ${n.message}`}}async function eo({name:r,input:e,origin:t,signal:n}){let s=Z().find(l=>l.name==r&&jt(l,t));if(!s)throw v("UnknownError",`Tool not found: ${r}`);let o=JSON.parse(e),i=qt(s,o);if(i)throw v("DataError",`Invalid arguments for ${r}: ${i}`);let a=new AbortController;n.addEventListener("abort",()=>{a.abort(n.reason),setTimeout(()=>we(new xe("toolcancel",{toolName:r})))}),setTimeout(()=>we(new ye("toolactivated",{toolName:r})));try{return to(await s.execute(o,{signal:a.signal}))}catch(l){if(l instanceof rn&&s.isForm)throw l;console.error(l);let d=l instanceof Error?l.message:l,h=t==self.origin?`: ${String(d).slice(0,Zs)}`:"";throw v("UnknownError",`The tool ${r} failed${h}`)}}function Ge(r){if(typeof r!="string")return r;try{return JSON.parse(r)}catch{throw v("DataError","The arguments are not JSON")}}var to=r=>r===ro?null:Object(r)===r?`${JSON.stringify(r)}`:`${r}`,ro=Symbol(),ze=class extends Event{constructor(...e){super(...e),this.toolName=`${e[1]?.toolName??""}`}},ye=class extends ze{},xe=class extends ze{};var sn="cloche.webmcp.1",no=1e3,so=3e3,U=new WeakMap,Dt=new Set,on;function z(){let r=[top];for(let e of r)for(let t=0;t<e.length;t++)r.push(e[t]);return r}var Ee=(r,e,t,n)=>r.postMessage({[sn]:e},t,n);function an(r,e,t){return new Promise(n=>{let{port1:s,port2:o}=new MessageChannel;s.onmessage=({data:i})=>n(i),setTimeout(n,no),Ee(r,e,t,[o])})}function ve(){return on??=oo()}function oo(){let{featurePolicy:r}=document;if(r?.features().includes("tools"))return r.allowsFeature("tools");let e=[];for(let n=self;n!=top;n=n.parent)e.push(n);let t=e.map(io);return t.every(Boolean)?t.every(n=>ln(n,origin)):Promise.all(e.map(n=>ao(n.parent))).then(()=>Se(self)).then(n=>on=n)}function io(r){try{return r.frameElement}catch{return null}}var ao=r=>new Promise(e=>{let t=()=>{U.has(r)&&e(Dt.delete(t))};Dt.add(t),setTimeout(e,so),t()});async function Se(r){let e=r==self?origin:U.get(r);if(!e||r==top)return!!e;let{parent:t}=r;if(!await Se(t))return!1;let n=0;for(;n<t.length&&t[n]!=r;)n++;if(t==self)return cn(n,e);let s=U.get(t);return await an(t,{frame:n,where:e},s=="null"?"*":s)===!0}function cn(r,e){let t=[...document.querySelectorAll("iframe")].find(n=>n.contentWindow==self[+r]);return!!t&&ln(t,e)}function ln({allow:r,src:e,sandbox:t},n){let s=r.split(";").map(l=>l.trim().split(/\s+/)).find(([l])=>l=="tools");if(!s)return n==origin&&n!="null";let i=t.length&&!t.contains("allow-same-origin")?"null":e?new URL(e).origin:origin;return(s.length>1?s.slice(1):["'src'"]).some(l=>l=="*"||l==n||l=="'self'"&&n==origin||l=="'src'"&&n==i)}function dn(){addEventListener("message",co);for(let r of z())r!=self&&Ee(r,"here","*")}async function co({data:r,source:e,origin:t,ports:[n]}){let s=r?.[sn],o=e;if(!(!s||!z().includes(o)||o==self))if(s=="here"||s=="present"){s=="here"&&Ee(o,"present","*"),U.set(o,t);for(let i of Dt)i()}else s.where?n?.postMessage(await ve()&&cn(s.frame,s.where)):t!="null"&&U.get(o)==t&&await Se(o)&&(s=="changed"?we(new Event("toolchange")):n&&lo(s,t,n))}function lo(r,e,t){if(r=="list"){let i=Z().filter(a=>jt(a,e));return t.postMessage(i.map(({execute:a,check:l,...d})=>d))}let n=new AbortController,s=({name:i,message:a})=>t.postMessage({error:[i,a]}),o=()=>s(X());addEventListener("pagehide",o),t.onmessage=()=>n.abort(),F(window)?.run({...r,origin:e,signal:n.signal}).then(i=>t.postMessage({result:i}),s).finally(()=>removeEventListener("pagehide",o))}async function hn(r,e){return(await Promise.all(z().map(async n=>{let s=U.get(n);return!s||!r.includes(s)||F(n)||!await Se(n)?[]:(await an(n,"list",s)??[]).map(i=>e(i,n,s))}))).flat()}async function pn(r,{name:e,input:t,where:n},s){let o=await Se(r);return new Promise((i,a)=>{if(!o||U.get(r)!=n)throw X();let{port1:l,port2:d}=new MessageChannel;l.onmessage=({data:{result:u,error:p}})=>p?a(v(p[0],p[1])):i(u);let h=()=>l.postMessage("abort");s.addEventListener("abort",h),Ee(r,{name:e,input:t},n,[d]),s.aborted&&h()})}function un(r){for(let e of z()){let t=U.get(e);t&&r.includes(t)&&Ee(e,"changed",t)}}var fn=/^[\w.-]{1,128}$/;var ho=/(^|\.)localhost$|^127\.|^\[::1\]$/,j=class extends EventTarget{constructor(){if(super(),"modelContext"in document)throw new TypeError("Illegal constructor")}async registerTool(e,t){let{name:n,title:s="",description:o,inputSchema:i,execute:a,annotations:l}=ee(e,"name","description","execute"),{signal:d,exposedTo:h}=ee(t);if(typeof a!="function")throw new TypeError("execute is not a function");i!==void 0&&Ft(i,"inputSchema"),gn(d);let u={name:`${n}`,title:`${s}`,description:`${o}`,inputSchema:i&&JSON.stringify(i),annotations:l===void 0?void 0:uo(ee(l)),execute:a,exposedTo:[]},p=Ht();if(p&&await p,Z().some(m=>m.name==u.name))throw v("InvalidStateError","Duplicate tool name");if(!fn.test(u.name))throw v("InvalidStateError","Invalid tool name");if(!u.description)throw v("InvalidStateError","Description is required");let f={...u,exposedTo:bn(h)};d?.throwIfAborted(),H.set(u.name,f),d?.addEventListener("abort",()=>{H.get(u.name)===f&&H.delete(u.name)&&We(f.exposedTo)}),await We(f.exposedTo),d?.throwIfAborted()}async getTools(e){let t=bn(ee(e).fromOrigins);await Ht();let n=z().flatMap(o=>(F(o)?.tools()??[]).map(i=>mn(i,o,origin))),s=await hn(t,mn);return[...n,...s].sort((o,i)=>o.name<i.name?-1:o.name>i.name?1:0)}async executeTool(e,t={},n){let{name:s,window:o,origin:i}=ee(e,"name","description","window","origin"),{signal:a}=ee(n),l=Ge(t);if(Ft(l,"The input"),gn(a),o?.window!==o)throw new TypeError("The tool's window is not a Window");let d=JSON.stringify(l);if(await Ht(),a?.throwIfAborted(),i=="null")throw v("NotSupportedError","A tool of an opaque origin cannot be executed");return await po(o,{name:`${s}`,input:d,origin,where:`${i}`},a)}};for(let r of["toolchange","toolactivated","toolcancel"]){let e=new WeakMap;Object.defineProperty(j.prototype,`on${r}`,{enumerable:!0,configurable:!0,get(){return e.get(this)??null},set(t){e.has(this)||this.addEventListener(r,n=>e.get(this)?.call(this,n)),e.set(this,typeof t=="function"?t:null)}})}function po(r,e,t){let n=new AbortController,s=new AbortController,o={signal:n.signal};return new Promise((i,a)=>{let l=()=>{a(t?.reason),s.abort(t?.reason)};t?.addEventListener("abort",l,o),addEventListener("pagehide",l,o);let d=F(r);if(d){if(e.where!=origin)throw X();r!=window&&r.addEventListener("pagehide",()=>setTimeout(()=>a(X())),o)}(d?d.run({...e,signal:s.signal}):pn(r,e,s.signal)).then(i,({name:h,message:u})=>a(v(h,u)))}).finally(()=>n.abort())}async function We(r=[]){await null;for(let e of z())F(e)?.fire(new Event("toolchange"));un(r)}function mn({annotations:r,description:e,inputSchema:t,name:n,title:s},o,i){let a=t?{inputSchema:JSON.parse(t)}:{};return{...r&&{annotations:{...r}},description:e,...a,name:n,origin:i,title:s,window:o}}function ee(r,...e){r!=null&&Ft(r,"The argument");for(let t of e)if(r?.[t]===void 0)throw new TypeError(`The required member ${t} is undefined`);return r??{}}function Ft(r,e){if(Object(r)!==r)throw new TypeError(`${e} is not an object`)}function gn(r){if(r!==void 0&&!(r instanceof AbortSignal))throw new TypeError("signal is not an AbortSignal")}function Ht(){if(!self.document?.defaultView)throw v("InvalidStateError","The document is not active");let r=ve(),e=t=>{if(!t)throw v("NotAllowedError",'Permissions policy disallows "tools"')};return typeof r=="boolean"?e(r):r.then(e)}var uo=r=>Object.fromEntries(["consequentialHint","debugging","readOnlyHint","untrustedContentHint"].map(e=>[e,!!r[e]]));function bn(r=[]){return[...r].map(e=>{let t=URL.canParse(e)?new URL(e):void 0;if(t&&(/^(https|wss|file):$/.test(t.protocol)||ho.test(t.hostname)))return t.origin;throw v("SecurityError",`Not a secure origin: ${e}`)})}var wn=({registerTool:r})=>/\[native code]/.test(r);function yn(r){let{registerTool:e,executeTool:t}=r,n=j.prototype,s="getTools"in r&&"executeTool"in r,o=a=>{let{name:l,execute:d,inputSchema:h}=Object(a);if(typeof d!="function"||Object(h)!==h)return a;let u=JSON.stringify(h);return Object.create(a,{execute:{value:(f,m)=>{let g=qt({inputSchema:u},f);if(g)throw v("DataError",`Invalid arguments for ${l}: ${g}`);return d(f,m)}}})};Object.assign(r,{async registerTool(a,l,...d){if(s)return await e.call(r,o(a),l,...d);await n.registerTool(a,l);try{await e.call(r,o(a),l,...d)}catch(h){throw H.delete(`${a.name}`),h}l?.signal?.addEventListener("abort",()=>r.unregisterTool?.(a.name))},async executeTool(a,l={},...d){return await(s?t.call(r,a,Ge(l),...d):n.executeTool(a,l,...d))}},r instanceof EventTarget?{}:fo(new EventTarget));for(let[a,l]of Object.entries(Object.getOwnPropertyDescriptors(n)))a in r||Object.defineProperty(r,a,l);return s}var fo=r=>Object.fromEntries(["addEventListener","removeEventListener","dispatchEvent"].map(e=>[e,r[e].bind(r)]));function xn(r){if(typeof document>"u"||!isSecureContext||Ve in document)return;let e=document.modelContext??navigator.modelContext;if(e&&!wn(e))return;let t=e??new j,n=e&&yn(e),s=n||"agentInvoked"in SubmitEvent.prototype?void 0:r?.(We);if(nn(t,s&&(()=>ve()===!0?s():[])),!n){for(let[o,i]of Object.entries({ModelContext:j,ToolActivatedEvent:ye,ToolCancelEvent:xe})){if(o in globalThis)continue;let a={configurable:!0,writable:!0};Object.defineProperty(globalThis,o,{value:i,...a}),Object.defineProperty(i,"name",{value:o}),Object.defineProperty(i.prototype,Symbol.toStringTag,{value:o,...a})}dn()}"modelContext"in document||Object.defineProperty(document,"modelContext",{get:()=>t,configurable:!0,enumerable:!0}),"modelContext"in navigator||mo()}function mo(){let r=!1;Object.defineProperty(navigator,"modelContext",{configurable:!0,enumerable:!0,get(){return r||console.warn("navigator.modelContext is deprecated: use document.modelContext"),r=!0,document.modelContext}})}var En=r=>Array.isArray(r)?r.map(e=>typeof e?.text=="string"?e.text:"").join(`
`).trim():"";function vn({structuredContent:r,content:e,isError:t}={}){if(t)throw new Error(En(e)||"The tool failed");return r!==void 0?r:Array.isArray(e)&&e.every(s=>s?.type==="text")?En(e):e}var go="Called by an agent. ";function Sn(r){xn();let{modelContext:e}=document;if(e)for(let t of r){let{name:n,title:s,description:o,inputSchema:i,annotations:a,_meta:l}=t.tool,d=new zt(t.tool),h=async(p,{signal:f}={})=>(await d.ask(p,f),vn(await t.run(p,{by:go,signal:f})));e.registerTool({name:n,...s&&{title:s},description:o||s||n,inputSchema:i,annotations:Nt(a,l),execute:h}).catch(p=>console.warn(`The tool ${n} is not offered to agents: ${p}`))}}var zt=class{#e;#r;constructor({name:e,title:t,annotations:n,_meta:s}){this.name=t||e,this.#e=n?.readOnlyHint===!0,this.#r=!Nt(n,s).consequentialHint}async ask(e,t){if(this.#e)return;let n={},s=()=>_t().unask(n);t?.addEventListener("abort",s);let o=await _t().ask(n,{title:"Let the agent do this?",text:`An agent in your browser wants to run \u201C${this.name}\u201D.`,details:e,accept:"Allow once",refuse:"Don't allow",...this.#r&&{lasting:"Allow on this page"}});if(t?.removeEventListener("abort",s),t?.throwIfAborted(),o==="page")this.#e=!0;else if(o!==!0)throw new Error(o===null?"Nobody answered whether the agent may":"The person does not allow it")}};var V=class{#e;#r=new Map;constructor({sessionId:e,origin:t,name:n=""}){this.prefix=["mcp",t,e,n,""].map(encodeURIComponent).join(":");try{let s=localStorage;s.getItem(this.prefix),this.#e=s}catch{}}get isPersistent(){return!!this.#e}get(e){let t=this.#e?this.#e.getItem(this.prefix+e):this.#r.get(e);try{return t==null?void 0:JSON.parse(t)}catch{return}}set(e,t){let n=JSON.stringify(t);this.#e?this.#e.setItem(this.prefix+e,n):this.#r.set(e,n)}remove(e){this.#e?.removeItem(this.prefix+e),this.#r.delete(e)}clear(){this.#r.clear();let e=this.#e;if(!e)return;let t=Array.from({length:e.length},(n,s)=>e.key(s)??"");for(let n of t)n.startsWith(this.prefix)&&e.removeItem(n)}};var G=class{#e;#r;#t={};constructor({secrets:e=[],...t}){this.secrets=e,this.#e=new V({...t,name:`settings ${location.pathname}`}),this.#r=new V({...t,name:`secrets ${location.pathname}`})}get isPersistent(){return this.#e.isPersistent}get values(){let e=this.#e.get("values");return e&&{...e,...this.hidden}}get shown(){return this.#e.get("values")}get hidden(){return this.#r.get("values")??{}}get withheld(){return{...this.hidden,...this.#t}}try(e){this.#t=this.#n(e,!0)}get name(){return this.#e.get("name")??""}keep(e,t=""){this.#e.set("values",this.#n(e,!1)),this.#e.set("name",t),this.#r.set("values",this.#n(e,!0))}#n(e,t){return Object.fromEntries(Object.entries(e).filter(([n])=>this.secrets.includes(n)===t))}forget(){this.#t={},this.#e.clear(),this.#r.clear()}};var bo="(secret)",te=r=>Object.values(r).filter(e=>typeof e=="string"&&e.length>=4).sort((e,t)=>t.length-e.length);function re(r,e){if(!e.length)return r;let t=JSON.stringify(r);return e.some(n=>t.includes(JSON.stringify(n).slice(1,-1)))?Be(r,e):r}function Be(r,e){return typeof r=="string"?e.reduce((t,n)=>t.replaceAll(n,bo),r):Array.isArray(r)?r.map(t=>Be(t,e)):typeof r!="object"||r===null?r:Object.fromEntries(Object.entries(r).map(([t,n])=>[Be(t,e),Be(n,e)]))}var ne=class{constructor(e,t,{enter:n,done:s,forget:o,cancel:i}){this.setup=e,this.kept=t,this.enter=n,this.done=s,this.reason=c("p",{class:"reason",role:"status"}),this.problem=c("p",{class:"problem",role:"alert"}),this.room=c("div"),this.save=c("button",{class:"main",type:"submit"},"Save"),this.forget=c("button",{type:"button",onclick:()=>(o(),this.draw())},"Forget settings");let a=i&&c("button",{type:"button",onclick:i},"Cancel");this.form=c("form",{noValidate:!0,autocomplete:"off"},this.room,this.problem,c("div","actions",this.save,a,this.forget)),this.form.onsubmit=d=>{d.preventDefault(),this.#e()};let l=t.isPersistent?"Settings are kept in this browser, for the tools of this server.":"This browser stores nothing for this page: settings are forgotten when it is loaded again.";this.element=c("section",{class:"panel",id:"setup","aria-label":"Setup"},c("h2",{},"Setup"),this.reason,this.form,c("p","about where",l)),this.draw()}draw(){let{schema:e}=this.setup,t=Object.keys(this.kept.hidden),n=Object.fromEntries(Object.entries(e.properties??{}).map(([i,a])=>t.includes(i)?[i,{...a,description:wo(a.description)}]:[i,a])),s=(e.required??[]).filter(i=>!t.includes(i));this.fields=new L({...e,properties:n,required:s});let o=this.kept.shown;o&&this.fields.write(o),this.forget.hidden=!o,this.problem.textContent="",this.room.replaceChildren(this.fields.element)}because(e){this.reason.textContent=e}async#e(){this.problem.textContent="";let e=this.#r();if(!e)return;this.kept.try(e),this.save.disabled=!0,this.save.textContent="Checking \u2026";let t=await this.enter(e).catch(n=>({problem:String(n.message??n)}));if(this.save.disabled=!1,this.save.textContent="Save",t.problem)return this.#t(t);this.kept.keep(e,t.displayName),this.because(""),this.draw(),this.done(t)}#r(){try{let e=this.fields?.read()??{},{hidden:t}=this.kept,n=Object.entries(t).filter(([s])=>!e[s]);return{...e,...Object.fromEntries(n)}}catch(e){if(e instanceof b)return;throw e}}#t({problem:e="",field:t}){(!t||!this.fields?.refuse(t,e))&&(this.problem.textContent=e)}},wo=r=>[r,"Kept; leave it empty to keep it."].filter(Boolean).join(" ");var yo=-32e3,On=16777216/1024,xo=/^(initialize|ping|server|logging|subscriptions|resources.(un)?subscribe)/,Gt=(r,e)=>({jsonrpc:"2.0",id:r,error:{code:yo,message:e}}),Vt=class{waiting=new Map;subscriptions=new Set;asked;agreed;initialized;level;client;found;#e=new Map;asks(e){let{id:t,method:n,params:s}=e;n&&t!=null&&this.waiting.set(t,e),s?._meta?.[O+"protocolVersion"]&&(this.client=s._meta),n=="notifications/initialized"&&(this.initialized=e),n=="notifications/cancelled"&&this.waiting.delete(s?.requestId)}answers({id:e,method:t,result:n}){if(t)return!1;let s=this.waiting.get(e);return this.waiting.delete(e),s&&n&&this.#r(s,n),this.#e.get(e)?.(n),this.#e.delete(e)}#r({method:e,params:t},n){e=="initialize"&&(this.agreed=n,this.asked={...t,protocolVersion:n.protocolVersion}),e=="server/discover"&&(this.found=n),e=="logging/setLevel"&&(this.level=t),e=="resources/subscribe"&&this.subscriptions.add(t.uri),e=="resources/unsubscribe"&&this.subscriptions.delete(t.uri)}facts(e){let{asked:t,agreed:n,client:s,found:o,subscriptions:i}=this,l=[...this.waiting.values()].filter(({method:d})=>d=="subscriptions/listen").flatMap(({params:d})=>d.notifications?.resourceSubscriptions??[]);return{protocolVersion:n?.protocolVersion??s?.[O+"protocolVersion"]??e.protocolVersion,serverCapabilities:(n??o)?.capabilities??e.serverCapabilities,clientCapabilities:t?.capabilities??s?.[O+"clientCapabilities"]??e.clientCapabilities,subscriptions:[...new Set([...i,...l])]}}async replay(e,t){let n=(o,i)=>new Promise(a=>{let l=M();this.#e.set(l,a),e({jsonrpc:"2.0",id:l,method:o,params:i})});if(this.asked&&!t){if(!await n("initialize",this.asked))return!1;this.initialized&&e(this.initialized)}let s=[...this.subscriptions].map(o=>n("resources/subscribe",{uri:o}));return t?.forEach(o=>this.subscriptions.has(o)||s.push(n("resources/unsubscribe",{uri:o}))),this.level&&s.push(n("logging/setLevel",this.level)),await Promise.all(s),!0}},Je=class extends q{session=new Vt;onReconnecting;onReconnected;onReconnectFailed;#e=[];#r=0;#t=!1;post(e,t){let{method:n,params:s}=e;this.#e?n=="notifications/cancelled"?this.#e=this.#e.filter(([{id:o}])=>o!==s.requestId):this.#n(this.#e,e,t):this.#s(e,t)}#n(e,t,n){let s=Math.max(K(t).length,On);if(e.reduce((o,[,,i])=>o+i,s)>16777216)throw new C("Too much waits for a server","OUTBOX_FULL");e.push([t,n,s])}#s(e,t){this.session.asks(e),this.put(e,t)}put(e,t){super.post(e,t)}arrived(e){(!e||!this.session.answers(e))&&this.deliver(e)}reconnecting(e){this.#t=!0,w(()=>this.onReconnecting?.(e))}lost(e){this.#r++,this.#e??=[];let t=[...this.session.waiting.values()];this.session.waiting.clear();for(let n of t.reverse())e||xo.test(n.method)?this.#e.unshift([n,[],On]):this.deliver(Gt(n.id,"The server is gone; it may have done what was asked"))}abandon(){w(()=>this.onReconnectFailed?.()),this.ended()}async resume(e){let t=++this.#r,n=await this.session.replay(o=>this.put(o,[]),e);if(t!=this.#r||!this.isConnected)return;if(!n)return this.close();let s=this.#e??[];this.#e=null;for(let[o,i]of s)w(()=>this.#s(o,i));this.#t&&w(()=>this.onReconnected?.()),this.#t=!1}};var Tn=6e4,Eo=6e4,kn=1e3,vo=["subscriptions/listen"],So=2,An=r=>new Wt(r),Wt=class{restarts=0;ready=Promise.resolve();#e;#r=!1;#t=new Map;#n=new Set;#s=new Set;#i=new Map;#o=0;#c=new Map;setupProblem;#l=new Map;#h=new Map;#p;#a;#u=()=>{};#d=()=>{};#f;#b="";constructor(e){this.options=e,this.folder=Oo(e.url);let t=this.transport=new Je,{post:n,deliver:s}=t;t.post=(o,i)=>{n.call(t,o,i),this.#N(o)},t.put=o=>this.#S(o),t.deliver=o=>{o?.method||this.#v(o?.id),s.call(t,o)},t.release=()=>this.#_(),this.#m()}close(){this.transport.close()}async setUp(e){await this.ready;let t=await new Promise(n=>{let s=++this.#o;this.#c.set(s,n),this.#e?.postMessage({type:"cloche:setup",number:s,values:JSON.stringify(e)})});return t.problem||(this.options={...this.options,setup:e}),t}addFile(e){let t=e.name.replaceAll(/[/\0]/g,"_").replace(/^\.+$/,"_")||"_",n=`/files/${++this.#o}/${t}`;return this.#l.set(n,e),this.#e?.postMessage({type:"cloche:file",path:n,file:e}),n}async readFile(e){await this.ready;let t=++this.#o;return await new Promise((n,s)=>{this.#h.set(t,{resolve:n,reject:s}),this.#e?.postMessage({type:"cloche:read",number:t,path:e})})}#m(){this.ready=new Promise((a,l)=>{this.#u=a,this.#d=l}),this.ready.catch(()=>{}),this.#b="the worker",this.#w();let e=new URL("web/python/worker.js",this.folder).href,t=this.#e=new Worker(To(e),{type:"module",name:"python"});t.addEventListener("message",({data:a})=>t==this.#e&&this.#R(a)),t.addEventListener("error",a=>{if(a.preventDefault(),t!=this.#e)return;a.message?this.#r||this.#g(a.message):this.#g(`${e} could not be started as a worker: is it there, and do worker-src and script-src of the Content-Security-Policy allow it?`)});let{config:n,token:s,setup:o}=this.options,i=globalThis.crossOriginIsolated?new SharedArrayBuffer(1):void 0;this.#p=i&&new Uint8Array(i),t.postMessage({type:"cloche:start",folder:this.folder,config:n,token:s,setup:o,shared:i});for(let[a,l]of this.#l)t.postMessage({type:"cloche:file",path:a,file:l})}#w(){let{bootTimeout:e=Eo}=this.options;clearTimeout(this.#f);let t=e/1e3;this.#f=setTimeout(()=>this.#g(`Python did not start: nothing was heard for ${t} s after ${this.#b}. Either a file does not arrive, or WebAssembly is forbidden: script-src in the Content-Security-Policy needs 'wasm-unsafe-eval'`),e)}#g(e){if(!this.#e)return;let t=new Error(e);this.#E(),this.#d(t);for(let n of[...this.#t.keys()])this.transport.deliver(Gt(n,e));this.transport.ended()}#x({setupProblem:e}){this.setupProblem=e,clearTimeout(this.#f),this.#r=!0,this.#u(),this.transport.resume()}#E(){clearTimeout(this.#f),this.#e?.terminate(),this.#e=void 0,this.#r=!1;for(let{timer:e}of this.#t.values())clearTimeout(e);for(let e of this.#i.values())e();for(let e of this.#c.values())e({problem:"Python ended before it had taken the settings"});this.#c.clear();for(let{reject:e}of this.#h.values())e(new Error("Python ended before it had read the file"));this.#h.clear()}#_(){this.#E(),this.#t.clear(),this.#d(new Error("The server was closed"))}#N(e){let{id:t,method:n,params:s}=e;n=="notifications/cancelled"&&this.#v(s?.requestId),n?"id"in e&&!this.#t.has(t)&&this.#t.set(t,{message:e}):this.#U(t)}#S(e){this.#e?.postMessage({type:"mcp",payload:e});let{id:t,method:n}=e;if(!n||!("id"in e)||vo.includes(n))return;let s=this.#t.get(t)??{message:e};this.#t.set(t,s),this.#y(s)}#R(e){let t=e?.type;if(t=="mcp")return this.#P(e.payload);if(t=="mcp:close")return this.transport.ended();if(t=="cloche:probe")return this.#i.get(e.number)?.();if(t=="cloche:setup")return this.#I(e);if(t=="cloche:read")return this.#M(e);if(t=="cloche:broken")return this.#A(`Python broke down (${e.message})`);let{type:n,...s}=e;t=="cloche:progress"?(this.#b=s.stage,this.#w(),w(()=>this.options.onProgress?.(s))):t=="cloche:output"?w(()=>this.options.onOutput?.(s)):t=="cloche:ready"?this.#x(s):t=="cloche:failed"&&this.#g(s.message)}#I({number:e,outcome:t}){this.#c.get(e)?.(t),this.#c.delete(e)}#M({number:e,content:t,problem:n=""}){let s=this.#h.get(e);this.#h.delete(e),t?s?.resolve(t):s?.reject(new Error(n))}#P(e){let{id:t,method:n}=e;n&&"id"in e&&this.#n.add(t),!(!n&&this.#s.delete(t))&&(n||this.#v(t),this.transport.arrived(e))}#v(e){clearTimeout(this.#t.get(e)?.timer),this.#t.delete(e)}#y(e,t=this.options.deadline??Tn){clearTimeout(e.timer),t&&(e.timer=setTimeout(()=>this.#$(e),t))}async#$(e){let{id:t}=e.message;if(this.#n.size)return this.#y(e);if(e.late=!0,await this.#T()){this.options.deadline&&this.#j(t);return}this.#a??=this.#L().finally(()=>this.#a=void 0),await this.#a,this.#t.get(t)==e&&this.#y(e,kn)}async#L(){this.#p&&(this.#p[0]=So,await this.#T())||this.#e&&this.#A(`a call did not finish within ${this.#O()} s`)}#U(e){if(!(!this.#n.delete(e)||this.#n.size))for(let t of this.#t.values())t.timer&&!t.late&&this.#y(t)}#O(){return(this.options.deadline??Tn)/1e3}#T(){let e=++this.#o;return new Promise(t=>{let n=setTimeout(()=>t(!1),kn);this.#i.set(e,()=>(clearTimeout(n),t(!0))),this.#e?.postMessage({type:"cloche:probe",number:e})}).finally(()=>this.#i.delete(e))}#j(e){let t=this.#t.get(e);if(!t)return;this.#s.add(e);let s={jsonrpc:"2.0",method:"notifications/cancelled",params:{requestId:e,reason:"its time is up"}};this.transport.session.asks(s),this.#S(s),this.transport.deliver(this.#k(t))}#k({message:{id:e,method:t,params:n}}){let s={jsonrpc:"2.0",id:e};if(t!="tools/call")return{...s,error:{code:-32001,message:Re(e)}};let o=`The tool did not finish within ${this.#O()} seconds`,i=n?._meta?.[O+"protocolVersion"]&&{resultType:"complete"};return{...s,result:{content:[{type:"text",text:o}],isError:!0,...i}}}#A(e){if(!this.#r)return this.#g(e);let{transport:t}=this;this.#E(),this.restarts++,this.#s.clear();for(let o of[...this.#t.values()])o.late&&(t.session.waiting.delete(o.message.id),t.deliver(this.#k(o)));t.lost();for(let o of this.#n)this.#C("notifications/cancelled",{requestId:o,reason:e});this.#n.clear(),this.#m(),w(()=>this.options.onRestart?.({reason:e,restarts:this.restarts}));let n=[...t.session.subscriptions],s=()=>n.forEach(o=>this.#C("notifications/resources/updated",{uri:o}));this.ready.then(s,()=>{})}#C(e,t){this.transport.deliver({jsonrpc:"2.0",method:e,params:t})}};function Oo(r){let{href:e}=new URL(r,globalThis.document?.baseURI??location.href);return e.replace(/(python\.json)?([?#].*)?$/,"").replace(/\/?$/,"/")}function To(r){return new URL(r).origin===self.origin?r:"data:text/javascript,"+encodeURIComponent(`import ${JSON.stringify(r)};`)}var ko={runtime:"Loading Python \u2026",snapshot:"Starting Python \u2026",packages:"Loading packages \u2026",import:"Starting the server \u2026",ready:"Ready"};function W(r,e){k("state").textContent=r;let t=k("progress");t.hidden=e===void 0||e>=1,t.value=e??0}function Oe({setup:r,secrets:e=()=>[]}){let t=An({url:new URL("python/",document.baseURI),setup:r,onProgress:({stage:n,fraction:s})=>W(ko[n]??"",s),onOutput:({stream:n,text:s})=>console[n==="stderr"?"error":"log"](re(s,e())),onRestart:({reason:n})=>console.error(`Python was started again: ${n}`)});return t.ready.then(()=>{W("Ready"),Ao()},Bt),t}function Ao(){"serviceWorker"in navigator&&navigator.serviceWorker.register("keeper.js").catch(r=>console.warn(`The site is not kept: ${r.message}`))}function Bt(r){W("Not running"),k("main").prepend(c("section",{class:"panel error",role:"alert"},c("h2",{},"The server could not start"),c("p",{},String(r?.message??r)),c("div","actions",c("button",{type:"button",onclick:()=>location.reload()},"Try again"))))}function Cn(r){try{return Uint8Array.from(atob(r),e=>e.charCodeAt(0))}catch{return null}}var Co={"text/plain":"txt","image/jpeg":"jpg","audio/mpeg":"mp3","image/svg+xml":"svg"};function Te(r,e){let n=(r.split(/[?#]/)[0].split("/").filter(Boolean).pop()??"").replaceAll(/[^\w.-]/g,"_").slice(-80)||"file",s=Co[e]??e.split(/[/;+]/)[1]?.replaceAll(/[^a-z0-9]/g,"")??"bin";return/\.\w{1,8}$/.test(n)?n:`${n}.${s||"bin"}`}function Jt(r,e){let t=URL.createObjectURL(new Blob([r],{type:"application/octet-stream"}));c("a",{href:t,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(t),1e4)}function Kt(r,e,t){let n=()=>Jt(r,t);return c("button",{type:"button",class:"small",title:`${t}, ${e}`,onclick:n},"Save")}function se(r,e="Copy"){let t=c("button",{type:"button",class:"small"},e);return t.onclick=async()=>{try{await navigator.clipboard.writeText(r()),t.textContent="Copied"}catch{t.textContent="The browser refused"}setTimeout(()=>t.textContent=e,1500)},t}var Qt=1e5,Yt=6,_o=/^(#{1,6} |```|~~~|> ?|[-*+] |\d{1,9}[.)] |\||(?:-{3,}|\*{3,}|_{3,})$)/,Ke=/^( {0,12})(?:[-*+]|(\d{1,9})[.)]) (.*)$/,No=/`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|__([^_\n]{1,500})__|\*([^*\s][^*\n]{0,500})\*|\b_([^_\s][^_\n]{0,500})_\b|~~([^~\n]{1,500})~~|!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})\)|\bhttps?:\/\/[^\s<>"'()]{1,2000}/g;function _n(r){let e=r.slice(0,2e4);return[/^#{1,6} \S/m,/^```/m,/\*\*[^*\s][^*\n]{0,200}\*\*/,/\[[^[\]\n]{1,200}\]\(https?:/,/^\|[^\n]{0,500}\n\|[ :|-]{3,200}$/m].some(n=>n.test(e))}function Nn(r){let e=c("div","markdown",...Rn(r.slice(0,Qt).split(/\r?\n/),0));return r.length>Qt&&e.append(c("pre",{},r.slice(Qt))),e}function Rn(r,e){let t=[],n=0;for(;n<r.length;){let s=r[n].trimStart();if(!s)n+=1;else{let[o,i]=Ro(r,n,s,e);t.push(o),n=i}}return t}function Ro(r,e,t,n){let s=/^(```|~~~)/.exec(t)?.[0];if(s)return Mo(r,e,s);let o=/^(#{1,6}) /.exec(t)?.[1].length;if(o)return[Io(o,t.slice(o+1)),e+1];if(/^(?:-{3,}|\*{3,}|_{3,})$/.test(t.trimEnd()))return[c("hr"),e+1];if(t.startsWith(">")&&n<Yt)return Po(r,e,n);if(Ke.test(r[e]))return In(r,e,n);if(t.startsWith("|")&&/^\|[\s:|-]+$/.test((r[e+1]??"").trim()))return $o(r,e);let i=e+1;for(;i<r.length&&r[i].trim()&&!_o.test(r[i].trimStart());)i+=1;return[c("p",{},...oe(r.slice(e,i).join(`
`))),i]}function Io(r,e){let t=`h${Math.min(r+2,6)}`;return c(t,{},...oe(e))}function Mo(r,e,t){let n=e+1;for(;n<r.length&&!r[n].trimStart().startsWith(t);)n+=1;return[c("pre","text",r.slice(e+1,n).join(`
`)),n+1]}function Po(r,e,t){let n=e;for(;n<r.length&&r[n].trimStart().startsWith(">");)n+=1;let s=r.slice(e,n).map(o=>o.trimStart().replace(/^> ?/,""));return[c("blockquote",{},...Rn(s,t+1)),n]}function In(r,e,t){let[,n,s]=Ke.exec(r[e]),o=s===void 0?c("ul"):c("ol",{start:Number(s)}),i=e;for(;i<r.length;){let a=Ke.exec(r[i]);if(!a||a[1].length<n.length)break;if(a[1].length>n.length&&t<Yt&&o.lastElementChild){let[d,h]=In(r,i,t+1);o.lastElementChild.append(d),i=h;continue}let l=i+1;for(;l<r.length&&r[l].trim()&&/^ {2,}/.test(r[l])&&!Ke.test(r[l]);)l+=1;o.append(c("li",{},...oe([a[3],...r.slice(i+1,l)].join(`
`)))),i=l}return[o,i]}function $o(r,e){let t=i=>i.trim().replace(/^\|/,"").replace(/\|$/,"").split("|"),n=c("tr",{},...t(r[e]).map(i=>c("th",{scope:"col"},...oe(i.trim())))),s=c("tbody"),o=e+2;for(;o<r.length&&r[o].trimStart().startsWith("|");)s.append(c("tr",{},...t(r[o]).map(i=>c("td",{},...oe(i.trim()))))),o+=1;return[c("div",{class:"wide",tabIndex:0},c("table",{},c("thead",{},n),s)),o]}function oe(r,e=0){if(e>Yt)return[r];let t=[],n=0;for(let s of r.matchAll(No)){let[o,i,a,l,d,h,u,p,f]=s;t.push(r.slice(n,s.index)),n=s.index+o.length;let m=g=>oe(g,e+1);i!==void 0?t.push(c("code",{},i)):a??l?t.push(c("strong",{},...m(a??l))):d??h?t.push(c("em",{},...m(d??h))):u!==void 0?t.push(c("s",{},...m(u))):t.push(Xt(f??o,p||f||o))}return t.push(r.slice(n)),t.filter(s=>s!=="")}function Xt(r,e){return/^(?:https?|mailto):/i.test(r)?c("a",{href:r,target:"_blank",rel:"noopener noreferrer",title:r},e):e}var Zt=(...r)=>`#/${r.map(encodeURIComponent).join("/")}`;var Qe=100,Mn=400;function ie(r,e="",t=2){let n=e?c("span","key",`${e}: `):"";if(typeof r=="string")return c("div","leaf",n,...Uo(r));if(typeof r!="object"||r===null)return c("div","leaf",n,c("span",{class:r===null?"null":typeof r},JSON.stringify(r)??"undefined"));let s=Object.entries(r),[o,i]=Array.isArray(r)?["[","]"]:["{","}"];if(!s.length)return c("div","leaf",n,o+i);let a=c("summary",{},n,o,c("span","count",` ${Lo(r,s)} `),i),l=c("details",{class:"tree",open:t>0},a),d=!1,h=()=>{d||!l.open||(d=!0,Pn(l,s,0,t-1))};return l.addEventListener("toggle",h),h(),l}function Lo(r,e){if(Array.isArray(r))return`${e.length} ${e.length===1?"entry":"entries"}`;let t=e.slice(0,4).map(([n])=>n.slice(0,40)).join(", ");return e.length>4?`${t}, \u2026`:t}function Uo(r){let e=c("span","string",JSON.stringify(r.slice(0,Mn)));if(r.length<=Mn)return[e];let t=c("button",{type:"button",class:"small"},`\u2026 ${D(r.length)}`);return t.onclick=()=>(e.textContent=JSON.stringify(r),t.remove()),[e," ",t]}function Pn(r,e,t,n){if(r.append(...e.slice(t,t+Qe).map(([o,i])=>ie(i,o,n))),e.length<=t+Qe)return;let s=c("button",{type:"button",class:"small"},`${e.length-t-Qe} more`);s.onclick=()=>(s.remove(),Pn(r,e,t+Qe,n)),r.append(s)}var $n=2e4,jo={user:"the user",assistant:"the model"},qo=1e7;function tr(r,e=""){let t=Ho(r,e),n=Do(r?.annotations??r?.resource?.annotations);return n&&t.append(c("p","about",n)),t}function Do(r){let{audience:e,priority:t,lastModified:n}=r??{},s=Array.isArray(e)?e.map(o=>jo[String(o)]??String(o)):[];return[s.length&&`for ${s.join(" and ")}`,typeof t=="number"&&`priority ${t}`,typeof n=="string"&&`last modified ${n}`].filter(Boolean).join(" \xB7 ")}function Ho(r,e){let{type:t,text:n,data:s,mimeType:o="",resource:i}=r??{};return t==="text"?Un(String(n)):t==="image"||t==="audio"?jn(String(s),String(o),`the tool's ${t}`):t==="resource_link"?Wo(r,e):t==="resource"&&typeof i?.text=="string"?Vo(i):t==="resource"&&typeof i?.blob=="string"?Go(i):Ye(ie(r),se(()=>JSON.stringify(r,null,2)))}function Ye(r,...e){return c("div","block",c("div","block-actions",...e),r)}function Un(r,e=""){let t=se(()=>r),n=Fo(r,e);return n!==void 0?Ln(ie(n),er(r),"JSON",t):e==="text/markdown"||!e&&_n(r)?Ln(Nn(r),er(r),"Markdown",t):Ye(er(r),t)}function Ln(r,e,t,n){e.hidden=!0;let s=c("button",{type:"button",class:"small","aria-pressed":"true",title:`Lay out as ${t}`},t);return s.onclick=()=>{e.hidden=!e.hidden,r.hidden=!e.hidden,s.setAttribute("aria-pressed",String(e.hidden))},Ye(c("div",{},r,e),s,n)}function Fo(r,e){let t=r.trimStart()[0];if(!(r.length>qo||t!=="{"&&t!=="["||e&&!/json/.test(e)))try{return JSON.parse(r)}catch{return}}function er(r){let e=c("pre","text",r.slice(0,$n));if(r.length<=$n)return e;let t=c("button",{type:"button"},`Show all ${D(r.length)}`);return t.onclick=()=>(e.textContent=r,t.remove()),c("div",{},e,t)}function jn(r,e,t,n=t){let s=Cn(r);if(!s)return c("p","problem",`This is not base64: ${t}, ${e}.`);let o=Te(n,e),i=c("span","about",`${o} \xB7 ${e||"no type"} \xB7 ${D(s.length)}`),a=Kt(s,e,o),l=zo(r,s,e,t);return Ye(l?c("div",{},l,c("p",{},i)):c("p",{},i),a)}function zo(r,e,t,n){if(t.startsWith("image/"))return c("img",{src:`data:${t};base64,${r}`,alt:n});if(t.startsWith("audio/"))return c("audio",{src:`data:${t};base64,${r}`,controls:!0});if(t.startsWith("video/"))return c("video",{src:`data:${t};base64,${r}`,controls:!0});if(t!=="application/pdf")return null;let s=URL.createObjectURL(new Blob([e],{type:"application/pdf"}));return c("iframe",{src:s,class:"pdf",title:n})}function Vo({uri:r,mimeType:e="",text:t}){let n=c("p","about",`${r} \xB7 ${e||"no type"} \xB7 ${D(t.length)}`),s=Un(t,e);return s.firstElementChild?.append(Kt(t,e,Te(String(r),e||"text/plain"))),c("div",{},n,s)}function Go({uri:r,mimeType:e="",blob:t}){return jn(t,e,String(r),String(r))}function Wo({uri:r,name:e,title:t,description:n,mimeType:s,size:o},i){let a=String(t??e??r),l=[String(r),s,typeof o=="number"&&D(o)].filter(Boolean).join(" \xB7 "),d=i?c("a",{href:`${Zt("resource",i,String(r))}?read`},a):a,h=/^https?:/i.test(String(r))&&Xt(String(r),"Open in a new tab");return c("div","block link",c("p",{},d," ",c("span","about",l)),n&&c("p","about",String(n)),h&&c("p",{},h))}function qn(r,e){if(Array.isArray(r?.messages))return r.messages.map(s=>Jo(s,e));let n=(Array.isArray(r?.contents)?r.contents.map(s=>({type:"resource",resource:s})):Array.isArray(r?.content)?r.content:[]).map(s=>tr(s,e));if(r?.structuredContent!==void 0){let s=se(()=>JSON.stringify(r.structuredContent,null,2));n.push(c("h3","with-actions","Structured content",s),ie(r.structuredContent))}return n.length?n:[c("p","about","The result is empty.")]}function Jo({role:r,content:e},t){let n=Array.isArray(e)?e:[e],s=r==="user"?"User":r==="assistant"?"Assistant":String(r);return c("article",`turn ${r==="assistant"?"assistant":"user"}`,c("h3",{},s),...n.map(i=>tr(i,t)))}var Dn="file:///";function Hn(r,e){return(Array.isArray(r?.content)?r.content:[]).filter(n=>n?.type==="resource_link"&&String(n.uri).startsWith(Dn)).map(n=>Ko(n,e))}function Ko({uri:r,name:e,mimeType:t=""},n){let s=c("span",{class:"problem",role:"alert"});return c("div","actions",c("button",{type:"button",onclick:async()=>{s.textContent="";try{Jt(await n.readFile(decodeURIComponent(r.slice(Dn.length-1))),Te(e||r,t))}catch(i){s.textContent=String(i?.message??i)}}},`Save ${e||r}`),s)}var Xe=class{constructor(e,t,n,s){this.tool=e,this.call=t,this.files=n,this.fields=new L(e.inputSchema,void 0,a=>n.addFile(a)),this.status=c("span",{class:"status",role:"status"}),this.button=c("button",{class:"main",type:"submit"},"Call"),this.outcome=c("div",{class:"outcome",hidden:!0});let o=c("form",{noValidate:!0},this.fields.element,c("div","actions",this.button,this.status));o.onsubmit=a=>{a.preventDefault(),this.#e()};let i=e.description??"";this.element=c("details",{class:"panel",open:s,"data-tool":e.name},c("summary",{},c("h2",{},e.title??e.name),c("span","first-line",i.split(`
`)[0])),i&&c("p","description",i),o,this.outcome)}allow(e){this.button.disabled=!e,this.button.title=e?"":"Set the server up first"}async#e(){let e=this.#r();!e||this.button.disabled||(this.button.disabled=!0,await this.run(e).catch(()=>{}),this.button.disabled=!1)}async run(e,{by:t="",signal:n}={}){this.#t(`${t}Running \u2026`);let s=performance.now();this.outcome.hidden=!1;try{let o=await this.call(this.tool.name,e,{signal:n}),i=Math.round(performance.now()-s);return this.#t(`${t}${o.isError?"Failed":"Done"} in ${i} ms`,o.isError),this.outcome.replaceChildren(...qn(o),...Hn(o,this.files)),o}catch(o){throw this.#t(`${t}Failed`,!0),this.outcome.replaceChildren(c("p","problem",String(o?.message??o))),o}}#r(){try{return this.fields.read()}catch(e){if(e instanceof b)return;throw e}}#t(e,t=!1){this.status.textContent=e,this.status.classList.toggle("failed",t)}};var Qo="direct",Yo=3;function Fn({tools:r,setup:e}){let t=new G({sessionId:Qo,origin:location.origin,secrets:e?.secrets}),n=Oe({setup:e&&t.values,secrets:()=>te(t.withheld)}),s=new Le(n.transport,{name:"page"}),o,i=async(g,y,_)=>{await n.ready,await(o??=s.connect());let Ae=re(await s.callTool(g,y,_),te(t.withheld)),ae=Ae._meta?.[$e];return ae&&p(ae.message),Ae},a=r.map((g,y)=>new Xe(g,i,n,r.length<=Yo||y===0)),l=g=>a.forEach(y=>y.allow(g)),d=e?.visible,h=c("section",{class:"panel",id:"settings",hidden:!0}),u=e&&new ne(e,t,{enter:g=>n.setUp(g),done:({displayName:g=""})=>f(g),forget:()=>(t.forget(),location.reload())});function p(g){!u||!d||(u.because(g),u.element.hidden=!1,h.hidden=!0,u.element.scrollIntoView({block:"nearest"}))}function f(g){u&&(u.element.hidden=!0),h.hidden=!1;let y=c("button",{type:"button",onclick:()=>p("")},"Change"),_=c("button",{type:"button",onclick:()=>(t.forget(),location.reload())},"Forget");h.replaceChildren(c("h2",{},g||"Settings"),c("div","actions",y,_)),l(!0)}let m=!r.length&&c("p","about","This server has no tools.");if(k("main").append(...u&&d?[u.element,h]:[],...a.map(g=>g.element),...m?[m]:[],c("footer",{},"Everything runs in this tab: what you enter does not leave it unless a tool sends it.")),Sn(a),!!e){if(!d)return void n.setUp({}).then(({problem:y})=>y&&Bt(y)).catch(()=>{});t.values?f(t.name):l(!1),n.ready.then(()=>n.setupProblem&&(l(!1),p(n.setupProblem)),()=>{})}}var Xo=({context:r,component:e,operation:t,message:n,details:s})=>console[t=="ERROR"?"warn":"debug"](`[${r}][${e}][${t}] ${n}`,s??""),Ze=class r{constructor(e,t="transport",n=Xo){this.context=e,this.component=t,this.sink=n}for(e){return new r(this.context,e,this.sink)}log(e,t,n){let{context:s,component:o}=this;this.sink({time:Date.now(),context:s,component:o,operation:e,message:t,...n&&{details:n}})}init(e,t){this.log("INIT",e,t)}request(e,t){this.log("REQ",e,t)}response(e,t){this.log("RESP",e,t)}error(e,t){this.log("ERROR",e,t)}},zn=({type:r,payload:e,error:t,reason:n})=>({type:r,...e&&{method:e.method,id:e.id},...(t??n)&&{code:t?.code??n}});var Zo=5e4,et=r=>S(r)&&/^MCP_/.test(r.type);var rr=r=>Array.isArray(r)?r.map(rr):S(r)?Object.fromEntries(Object.entries(r).filter(([,e])=>e!==void 0).map(([e,t])=>[e,rr(t)])):r;function tt(r){let{type:e}=r;if(!Object.hasOwn(Ie.$defs,e))return{message:void 0,flaw:"it is none of the eight messages"};if(e==="MCP_MESSAGE"){let a=S(r.payload)?"":"payload must be object";return a?{message:void 0,flaw:a}:{message:{type:e,payload:r.payload},flaw:""}}let t=Object.keys(Ie.$defs[e].properties).filter(a=>Object.hasOwn(r,a)),n=Object.fromEntries(t.map(a=>[a,r[a]])),{flaw:s}=K(n,Zo,!1);if(s)return{message:void 0,flaw:s};let o=rr(n),i=be({$ref:"#/$defs/"+e},o,"",{root:Ie});return i?{message:void 0,flaw:i}:{message:o,flaw:i}}var Vn=({type:r,error:e,canContinue:t})=>r+(e?" with an error":t===!1?" that cannot continue":"");var Gn="over",Wn="there?",Bn="here",ei=3e3,ti=8,rt=class extends q{state="idle";phase="setup";error;sessionId;protocolVersion;onStateChange;port;#e=[];#r;#t;#n;constructor(e,t,{timeouts:n,...s}){super(s),this.table=e,this.deadlines=t,this.timeouts={...br,...n},this.logger=s.logger,this.onStateChange=s.onStateChange}get isConnected(){return this.state=="connected"&&super.isConnected}effects={};step(e,t={}){let n=this.table[this.state];if(!Object.hasOwn(n,e))return!1;let[s,o]=n[e],i=this.state;if(this.state=s,s!=i){clearTimeout(this.#r);let a=this.timeouts[this.deadlines[s]];a&&(this.#r=setTimeout(()=>this.expired(s,a),a)),this.logger.init(`${i} \u2192 ${s}`,{event:e}),w(()=>this.onStateChange?.(s))}return o&&this.effects[o](t),!0}begin(e,t){this.require(e),this.error=void 0,this.over.signal.aborted&&(this.over=new AbortController);let n=this.#n=Promise.withResolvers();n.promise.catch(()=>{});try{this.step(e,t)}catch(s){this.fail("CONFIG_ERROR",String(s),s instanceof E?s:void 0)}return n.promise}require(e){let{state:t}=this;if(Object.hasOwn(this.table[t],e))return;let n=t=="closed"?wr:t=="configured"&&e=="complete"?yr:pt[e]??`Not now: the transport is ${t}`;throw new E(n,"NOT_NOW")}settle(e){this.#n?.resolve(e)}fail(e,t,n=new E(t,e)){return this.step("fail",{error:n})}expired(e,t){this.fail("TIMEOUT",`${this.late(e)} within ${t/1e3} s`)}late(e){return""}hear({data:e,...t}){let{message:n,flaw:s}=tt(e);if(!n)return this.#s(String(e.type).slice(0,60),s);let o=Vn(n),i=Object.hasOwn(this.table[this.state],o)&&this.examine(n,t);return i?this.fail(i.code,i.message):this.step(o,{message:n,...t})?(this.logger.response(o,zn(n)),!0):(this.drop(o,`it is not expected while ${this.state}`),!1)}examine(e,t){}#s(e,t){return this.state!="connected"&&Object.keys(this.table[this.state]).some(s=>s.split(" ")[0]==e)?this.fail("CONFIG_ERROR",`${e} cannot be used: ${t}`):(this.drop(e,t),!1)}drop(e,t){this.dropped++,this.logger.error(`${e} was dropped: ${t}`)}violated(e){this.logger.error(`a message of ${e} was dropped: it is not the other side`),super.violated(e)}post(e,t){this.say({type:"MCP_MESSAGE",payload:e},t)}verify(e){if(this.state=="idle")throw new E(pt.MCP_MESSAGE,"NOT_NOW");return super.verify(e)}farewell(){}listenTo(e){this.#e.push(e),this.#e.length>ti&&this.#e.shift()?.close(),e.onmessage=({data:t,ports:n})=>{e==this.port&&this.#i(t,e),!(!et(t)||this.port&&e!=this.port)&&(/_HANDSHAKE$/.test(t.type)?this.drop(t.type,"it came by the port"):this.hear({data:t,ports:n,port:e}))},e.addEventListener("close",()=>e==this.port&&this.step("gone"))}#i(e,t){e===Gn&&this.step("gone"),e===Wn&&t.postMessage(Bn),e===Bn&&clearTimeout(this.#t)}doubt(){this.port&&(clearTimeout(this.#t),this.#t=setTimeout(()=>this.step("gone"),ei),this.port.postMessage(Wn))}hangUp(){this.port?.postMessage(Gn)}keep(e){this.port!=e&&this.hangUp(),clearTimeout(this.#t),this.port=e;for(let t of this.#e.splice(0))t!=e?t.close():this.#e.push(t)}settleWith(e){this.error=e,this.logger.error(e.message,{code:e.code}),this.#n?.reject(e)}};function ke(r,e){let[t,n]=[r,e].map(s=>s.split(".").map(Number));for(let s=0;s<Math.max(t.length,n.length);s++){let o=(t[s]??0)-(n[s]??0);if(o)return o}return 0}var Jn=(r,e,t)=>r.filter(n=>ke(e,n)<=0&&ke(n,t)<=0).sort(ke).at(-1);var Kn={requirement:"hidden"},nr={setup:"MCP_SETUP_HANDSHAKE_REPLY",transport:"MCP_TRANSPORT_HANDSHAKE_REPLY"},st=class extends rt{setupSignal=new AbortController().signal;#e=new AbortController;#r;#t=[];constructor(e,{requiresVisibleSetup:t=!1,requestedPermissions:n,minProtocolVersion:s="1.0",maxProtocolVersion:o="1.0",...i}={}){super(mr,gr,{logger:new Ze("INNER"),...i}),this.control=e,this.range=[s,o],this.announcements={setup:{type:"MCP_SETUP_HANDSHAKE",minProtocolVersion:s,maxProtocolVersion:o,requiresVisibleSetup:t,...n&&{requestedPermissions:n}},transport:{type:"MCP_TRANSPORT_HANDSHAKE",protocolVersion:"1.0"}},sr(this.announcements.setup),this.effects={announce:()=>this.#n(),pin:a=>this.#o(a),accept:a=>this.#c(a),send:({message:a})=>this.say(a),deliver:({message:a})=>this.deliver(a?.payload),tell:a=>this.#l(a),"give up":a=>this.#h(a),end:()=>this.#p()}}get pinnedOrigin(){return this.control.pinnedOrigin}prepareSetup(){return this.require("setup"),this.phase="setup",this.#e=new AbortController,this.setupSignal=this.#e.signal,this.begin("setup")}async completeSetup({displayName:e,transportVisibility:t=Kn,ephemeralMessage:n}){let o={type:"MCP_SETUP_COMPLETE",status:"success",...{displayName:e,transportVisibility:t,...n!==void 0&&{ephemeralMessage:n}}};sr(o),this.require("complete"),this.step("complete",{message:o}),this.#a()}failSetup(e,t){this.require("complete"),this.fail(e,t)}prepareToConnect(){return this.require("connect"),this.phase="transport",this.begin("connect")}requireSetup({reason:e="OTHER",message:t,canContinue:n=!1}){let s={type:"MCP_SETUP_REQUIRED",reason:e,message:t,canContinue:n};sr(s);let o=n?"require setup":"require setup now";this.require(o),this.step(o,{message:s}),n||this.#a(!0)}storage(e){let{sessionId:t,pinnedOrigin:n}=this;if(!t||!n)throw new E("There is no session yet","NOT_NOW");return new V({sessionId:t,origin:n,name:e})}close(){this.step("close",{error:new E("The page closed","USER_CANCELLED")}),this.#a(!0),this.ended()}#n(){this.#a(!0);let{control:e}=this;e.unpin(),this.#t=[e.onMessage(o=>this.#s(o)),e.onGone?.(()=>this.step("gone",{error:ri()}))??(()=>{}),e.onHide?.(()=>this.hangUp())??(()=>{})];let t={...this.announcements[this.phase],documentId:crypto.randomUUID()},n=0,s=()=>{n>=ht.length||(this.#r=setTimeout(()=>{this.logger.request(t.type,{turn:n}),w(()=>e.postMessage(t)),s()},ht[n++]))};s()}#s({data:e,origin:t,ports:n}){if(!et(e))return;if(this.port&&e.type!==nr[this.phase])return this.drop(String(e.type).slice(0,60),"it came beside the port");let{control:s}=this;(s.pinnedOrigin?t===s.pinnedOrigin:s.allows(t))?this.hear({data:e,origin:t,ports:n}):this.#i(t,e.type===nr[this.phase])}#i(e,t){if(this.violated(e),!t||this.control.pinnedOrigin)return;let n=this.control.allowedOrigins.join(" and "),s=new E(`The page around this one has the origin ${e}, and only ${n} is allowed: add that origin to the allowed ones if the page may use this server`,"ORIGIN_MISMATCH");this.step("fail",{error:s,origin:e})}examine({type:e,error:t,protocolVersion:n},{origin:s}){if(!(e!==nr[this.phase]||t||this.control.pinnedOrigin||(this.phase=="setup"?Jn([n],this.range[0],this.range[1]):!ke(n,"1.0"))))return this.control.pin(s??""),new E(`Incompatible protocol version: ${n}`,"VERSION_MISMATCH")}#o({message:e,origin:t="",ports:[n]=[]}){clearTimeout(this.#r),this.control.pin(t),this.sessionId=e?.sessionId,this.protocolVersion=e?.protocolVersion,n&&(this.listenTo(n),this.keep(n)),this.settle({sessionId:this.sessionId,protocolVersion:this.protocolVersion,origin:t})}#c(e){this.#o(e),this.say({type:"MCP_TRANSPORT_ACCEPTED",sessionId:this.sessionId})}#l({error:e=new E("It failed","CONFIG_ERROR"),origin:t}){let n=e.code=="ORIGIN_MISMATCH"?{code:"CONFIG_ERROR",message:`This server does not allow the origin ${t}`}:Er(e),s=this.phase=="setup"?{type:"MCP_SETUP_COMPLETE",status:"error",displayName:"",transportVisibility:Kn,error:n}:{type:"MCP_SETUP_REQUIRED",reason:"OTHER",message:n.message,canContinue:!1,error:n};this.port?this.port.postMessage(s):w(()=>this.control.postMessage(s,t)),this.#h({error:e})}#h({error:e,message:t}){let{code:n,message:s}=t?.error??{};e??=new E(`The page around this one refused: ${s}`,n),this.#a(),this.settleWith(e),this.#e.abort(e),this.phase=="transport"&&this.ended()}#p(){this.#a(!0),this.ended()}late(){return"No page around this one replied"}say(e,t=[]){this.logger.request(e.type),this.port?this.port.postMessage(e,t):this.control.postMessage(e,void 0,t)}#a(e=!1){clearTimeout(this.#r),this.#t.splice(0).forEach(t=>t()),e&&this.keep()}};function sr(r){let{flaw:e}=tt(r);if(e)throw new TypeError(`${r.type}: ${e}`)}var ri=()=>new E("The page around this one is gone","WINDOW_GONE");async function Yn(r){if(!r.allowedOrigins.length)return Qn("No other page may use this server: it was built without --allow-origin.");let e=new Me(r.allowedOrigins),t=new st(e,{requiresVisibleSetup:r.setup?.visible??!1});try{await(or()==="setup"?ni(r,t):si(r,t))}catch(n){Qn(String(n?.message??n))}}async function ni(r,e){let{setup:t}=r,n=await e.prepareSetup(),s=l=>(W("Done"),e.completeSetup({displayName:l||ft(r),transportVisibility:{requirement:t?.visibility??"hidden",...t?.description&&{description:t.description}}}));if(!t)return await s();let o=new G({...n,secrets:t.secrets}),i=Oe({secrets:()=>te(o.withheld)});if(i.ready.catch(l=>w(()=>e.failSetup("CONFIG_ERROR",l.message))),e.setupSignal.addEventListener("abort",()=>i.close()),!t.visible){let{problem:l,displayName:d}=await i.setUp({});return l?e.failSetup("CONFIG_ERROR",l):(o.keep({}),await s(d))}let a=new ne(t,o,{enter:l=>i.setUp(l),done:({displayName:l})=>{s(l)},forget:()=>o.forget(),cancel:()=>e.failSetup("USER_CANCELLED","The person cancelled the setup")});a.because(`${n.origin} will be able to call the tools of this server. It does not see what you enter here.`),k("main").append(a.element)}async function si(r,e){let{setup:t}=r,n=await e.prepareToConnect(),s=new G({...n,secrets:t?.secrets}),o=t&&(s.values??(t.visible?void 0:{}));if(t&&!o)return e.requireSetup({reason:"CONFIG_CHANGED",message:`${ft(r)} is not set up for this page yet`}),W("Not set up");let i=()=>te(s.withheld),a=Oe({setup:o,secrets:i});e.onMessage(l=>w(()=>a.transport.send(l))),a.transport.onMessage(l=>{e.send(re(l,i()));let d=l.result?._meta?.[$e];d&&w(()=>e.requireSetup(d))}),e.onClose(()=>a.close()),a.transport.onClose(()=>e.close()),k("main").append(c("p","about",`${n.origin} uses this server.`)),a.ready.then(()=>{let{setupProblem:l}=a;l&&w(()=>e.requireSetup({reason:"CONFIG_CHANGED",message:l}))},()=>{})}function Qn(r){W("Not connected"),k("main").append(c("section",{class:"panel error",role:"alert"},c("h2",{},"This page cannot be used from here"),c("p",{},r),c("p",{},"In a tab of its own you can use it: ",c("code",{},location.origin+location.pathname))))}Sr()?Yn(ut()):Fn(ut());
