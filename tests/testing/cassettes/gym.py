"""A view with everything that a person can do in one, and what makes two runs of a view differ."""

from __future__ import annotations

import asyncio

from cloche import Server

PAGE = """<!doctype html>
<style>
  #pad, #list, #spot { width: 200px; height: 60px; background: #8883 }
  #list { overflow: auto }
  #list div { height: 400px }
</style>
<button id="count" data-n="0">0</button> <button id="twice">0</button>
<label id="agree">agree <input type="checkbox" id="box"></label>
<input name="words"> <output id="echo"></output>
<form id="login"><input name="user"><input name="pass" type="password"><button>Log in</button></form>
<p id="welcome"></p>
<select id="fruit"><option>apple<option>banana<option>cherry</select> <span id="chosen"></span>
<input id="level" type="range" min="0" max="10" value="5">
<textarea id="note"></textarea> <p id="sent"></p>
<p id="free" contenteditable>free</p>
<div id="pad">drag</div> <div id="spot">hover</div> <div id="list"><div>long</div></div>
<shadow-box></shadow-box>
<p id="keys"></p> <p id="chance"></p> <p id="clock"></p> <p id="ticks">0</p> <p id="stored"></p> <p id="slow"></p>
<script>
const $ = (id) => document.getElementById(id);
$("count").onclick = () => $("count").textContent = $("count").dataset.n = Number($("count").dataset.n) + 1;
$("twice").ondblclick = () => $("twice").textContent = Number($("twice").textContent) + 1;
document.querySelector("[name=words]").oninput = ({target}) => $("echo").textContent = target.value.toUpperCase();
$("login").onsubmit = async (event) => {
  event.preventDefault();
  const {user, pass} = Object.fromEntries(new FormData($("login")));
  const result = await cloche.callTool("login", {user, pass_: pass});
  $("welcome").textContent = result.structuredContent.greeting;
};
$("fruit").onchange = () => $("chosen").textContent = $("fruit").value;
$("note").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  $("sent").textContent += "[" + $("note").value + "]";
  $("note").value = "";
};
let from = null;
$("pad").onpointerdown = (event) => { from = event.clientX; $("pad").setPointerCapture(event.pointerId); };
$("pad").onpointermove = (event) => { if (from !== null) $("pad").textContent = "moved " + (event.clientX - from); };
$("pad").onpointerup = () => { from = null; $("pad").textContent += " and let go"; };
$("spot").onpointerenter = () => $("spot").textContent = "over";
$("spot").onpointerleave = () => $("spot").textContent = "away";
$("list").onscroll = () => $("list").firstElementChild.textContent = "at " + $("list").scrollTop;
document.onkeydown = (event) => { if (event.target === document.body) $("keys").textContent += event.key; };
customElements.define("shadow-box", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: "open"});
    root.innerHTML = "<button>shadow</button>";
    root.firstChild.onclick = ({target}) => target.textContent += "!";
  }
});
localStorage.setItem("kept", "in storage");
cloche.on("tool:result", async () => {
  $("chance").textContent = Math.random() + " " + crypto.randomUUID() + " " + crypto.getRandomValues(new Uint8Array(2));
  $("clock").textContent = new Date().toISOString() + " " + Date.now();
  $("stored").textContent = localStorage.getItem("kept");
  const timer = setInterval(() => {
    $("ticks").textContent = Number($("ticks").textContent) + 1;
    if ($("ticks").textContent === "3") clearInterval(timer);
  }, 100);
  $("slow").textContent = "waiting";
  await cloche.callTool("slow", {});
  $("slow").textContent = "here";
});
</script>"""


def make_server() -> Server:
    """The server of the view."""
    server = Server("gym")

    @server.tool(view=PAGE)
    def gym() -> str:
        """Open the gym."""
        return "open"

    @server.tool(visibility=["app"])
    def login(user: str, pass_: str) -> dict[str, str]:
        """Log in."""
        return {"greeting": f"Hello {user}, {pass_} is right"}

    @server.tool(visibility=["app"])
    async def slow() -> str:
        """Takes longer than a view needs to come to rest."""
        await asyncio.sleep(0.8)
        return "slow"

    return server
