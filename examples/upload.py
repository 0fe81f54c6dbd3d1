"""A form with a file: the view reads it and gives it to a tool that only views may call; one file.

Over stdio:             cloche run examples/upload.py
Over HTTP, at /mcp:     cloche run examples/upload.py --http 127.0.0.1:8000
"""

from base64 import b64decode
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from cloche import Server, ToolError

server = Server("upload", version="1.0")

LIMIT = 1_000_000


@dataclass
class Document:
    """What is known of an uploaded text."""

    name: str
    note: str
    words: int
    lines: int


@dataclass
class Shelf:
    """All that was uploaded."""

    documents: list[Document]


documents: dict[str, Document] = {}

FORM = """<!doctype html>
<title>Upload</title>
<style>
  body { margin: 0; padding: 12px; font: 14px var(--font-sans, system-ui) }
  form { display: grid; gap: 8px; max-width: 360px }
  ul { padding-left: 20px }
  [role=alert] { color: var(--color-text-danger, #b00020) }
</style>
<form>
  <label>Text file <input type="file" name="file" accept="text/*" required></label>
  <label>Note <input name="note" maxlength="100"></label>
  <button type="button">Upload</button>
  <div role="alert"></div>
</form>
<ul></ul>
<script>
  const form = document.forms[0], button = form.querySelector("button"), problem = form.querySelector("[role=alert]");

  function show({ documents }) {
    const rows = documents.map(({ name, words, lines, note }) => {
      const row = document.createElement("li");
      row.textContent = `${name}: ${words} words in ${lines} lines${note && " (" + note + ")"}`;
      return row;
    });
    document.querySelector("ul").replaceChildren(...rows);
  }

  const base64 = (file) => new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

  // On the button and not on `submit`, which frames without `allow-forms` never fire.
  button.onclick = async () => {
    if (!form.reportValidity()) return;
    button.disabled = true;
    problem.textContent = "";
    try {
      const [file] = form.file.files, note = form.note.value;
      const result = await cloche.callTool("store", { name: file.name, data: await base64(file), note });
      if (result.isError) problem.textContent = result.content[0].text;
      else form.reset(), show(result.structuredContent);
    } catch (error) {
      problem.textContent = error.message;
    }
    button.disabled = false;
  };
  cloche.on("tool:result", (result) => result.structuredContent && show(result.structuredContent));
</script>
"""


@server.tool(view=FORM)
async def upload() -> Shelf:
    """Let the user upload text files, and see which there are."""
    return Shelf(list(documents.values()))


@server.tool(visibility=["app"])
async def store(name: Annotated[str, Meta(min_length=1, max_length=200)], data: str, note: str = "") -> Shelf:
    """Take a file, as base64."""
    if len(data) > LIMIT * 4 / 3 + 4:
        raise ToolError(f"{name} is larger than {LIMIT:,} bytes.")
    try:
        text = b64decode(data, validate=True).decode()
    except ValueError:
        raise ToolError(f"{name} is not a text in UTF-8.") from None
    documents[name] = Document(name, note, words=len(text.split()), lines=len(text.splitlines()))
    return Shelf(list(documents.values()))


if __name__ == "__main__":
    server.run()
