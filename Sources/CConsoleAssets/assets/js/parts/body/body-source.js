import { ask, withQuery } from "../../core/api.js";

const first = 1 << 20;
const step = 4 << 20;
/** The bytes of one piece; the server gives at most 16 MiB at once. */
const largest = 8 << 20;
/** The largest body that the page loads. Larger bodies are for other programs; the user can download them. */
const most = 128 << 20;

/** The bytes of a body that are loaded so far. */
export class BodySource {
  bytes = new Uint8Array();
  total = 0;
  failure = "";
  isStarted = false;

  /** @param {number} id @param {"request" | "response"} owner @param {boolean} isDecoded */
  constructor(id, owner, isDecoded) {
    this.address = `/api/traffic/${id}/${owner}-body`;
    this.isDecoded = isDecoded;
  }

  get isWhole() {
    return this.isStarted && this.bytes.length >= this.total;
  }

  get canGrow() {
    return !this.isWhole && this.bytes.length < most;
  }

  /** Whether the page may load the rest of the body. */
  get canBeWhole() {
    return !this.isWhole && this.total <= most;
  }

  /**
   * Loads the missing bytes, piece by piece.
   *
   * @param {(loaded: number) => void} progress
   * @param {AbortSignal} signal
   */
  async all(progress, signal) {
    const whole = new Uint8Array(this.total);
    whole.set(this.bytes);
    let at = this.bytes.length;
    while (at < whole.length) {
      const { bytes, failure } = await this.#ask(at, Math.min(largest, whole.length - at), signal);
      this.failure = failure;
      if (bytes.length === 0) break;
      whole.set(bytes, at);
      at += bytes.length;
      progress(at);
    }
    this.bytes = at < whole.length ? whole.slice(0, at) : whole;
    this.total = this.bytes.length;
  }

  /** The whole body, for a file. Missing bytes are loaded piece by piece. @returns {Promise<Blob>} */
  async whole() {
    const pieces = [this.bytes];
    let at = this.bytes.length;
    while (!this.isStarted || at < this.total) {
      const { bytes, total } = await this.#ask(at, largest);
      pieces.push(bytes);
      at += bytes.length;
      if (bytes.length === 0 || at >= total) break;
    }
    return new Blob(pieces, { type: "application/octet-stream" });
  }

  /**
   * The body as a message of Protocol Buffers, in JSON.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<{bytes: Uint8Array, type: string}>} `type`: the name of the message, if its declaration is known.
   */
  async asProtobuf(signal) {
    const answer = await ask(withQuery(this.address, { as: "protobuf" }), { signal });
    return { bytes: new Uint8Array(await answer.arrayBuffer()), type: answer.headers.get("Pinhole-Message-Type") ?? "" };
  }

  /** Loads the next piece. @param {AbortSignal} [signal] */
  async more(signal) {
    const { bytes, total, failure } = await this.#ask(this.bytes.length, this.bytes.length === 0 ? first : step, signal);
    const joined = new Uint8Array(this.bytes.length + bytes.length);
    joined.set(this.bytes);
    joined.set(bytes, this.bytes.length);
    this.bytes = joined;
    this.isStarted = true;
    this.failure = failure;
    // An empty piece is the end, whatever length the server announced.
    this.total = bytes.length === 0 ? joined.length : total;
  }

  async #ask(offset, length, signal) {
    const address = withQuery(this.address, { decoded: this.isDecoded, offset: String(offset), length });
    const response = await ask(address, { signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { headers } = response;
    const told = headers.get("Pinhole-Total") ?? /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
    const failure = headers.get("Pinhole-Failure") ?? "";
    return { bytes, total: Number(told ?? offset + bytes.length), failure };
  }
}
