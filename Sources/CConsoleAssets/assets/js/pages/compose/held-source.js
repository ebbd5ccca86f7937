import { Problem } from "../../core/problem.js";

/** Content codings that a browser can decode. */
const formats = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate" };

/** The bytes of a body that is in no capture, with the interface of `BodySource` that the views of bodies need. */
export class HeldSource {
  bytes = new Uint8Array();
  failure = "";
  isStarted = false;
  canGrow = false;
  canBeWhole = false;

  /** @param {Uint8Array} data @param {number} total Bytes of the whole body; `data` may hold fewer. @param {string} [coding] Content-Encoding. */
  constructor(data, total, coding = "") {
    this.data = data;
    this.total = total;
    this.coding = coding;
  }

  get isWhole() {
    return this.isStarted && this.bytes.length >= this.total;
  }

  async more() {
    if (this.isStarted) return;
    this.bytes = await this.#decoded();
    this.isStarted = true;
  }

  async all() {
    await this.more();
  }

  async whole() {
    return new Blob([this.data], { type: "application/octet-stream" });
  }

  asProtobuf() {
    return Promise.reject(new Problem({ title: "It is not read here", remedy: "Send it through the proxy: then the list reads it." }));
  }

  async #decoded() {
    if (this.coding === "" || this.coding === "identity") return this.data;
    const isCut = this.data.length < this.total;
    const format = formats[this.coding];
    try {
      if (!format) throw new Error(`this browser does not undo the coding ${this.coding}. Send it through the proxy`);
      if (isCut) throw new Error("only a part of the response is here. Send it through the proxy");
      const stream = new Blob([this.data]).stream().pipeThrough(new DecompressionStream(format));
      const made = new Uint8Array(await new Response(stream).arrayBuffer());
      this.total = made.length;
      return made;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.total = 0;
      return new Uint8Array();
    }
  }
}
