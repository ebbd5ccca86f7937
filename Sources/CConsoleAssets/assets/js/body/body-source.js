import { ask, withQuery } from "../core/api.js";

const first = 1 << 20;
const step = 4 << 20;
/** More is for a program of its own: it can be downloaded. */
const most = 48 << 20;

/** The bytes of a body, as many as were asked for. */
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

  get downloadAddress() {
    return withQuery(this.address, { decoded: this.isDecoded, length: Number.MAX_SAFE_INTEGER });
  }

  /** Loads the next piece. @param {AbortSignal} [signal] */
  async more(signal) {
    const length = this.bytes.length === 0 ? first : step;
    const response = await ask(withQuery(this.address,
      { decoded: this.isDecoded, offset: String(this.bytes.length), length }), { signal });
    const piece = new Uint8Array(await response.arrayBuffer());
    const joined = new Uint8Array(this.bytes.length + piece.length);
    joined.set(this.bytes);
    joined.set(piece, this.bytes.length);
    this.bytes = joined;
    this.isStarted = true;
    this.failure = response.headers.get("Pinhole-Failure") ?? "";
    const total = Number(response.headers.get("Pinhole-Total")
      ?? /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? joined.length);
    // A piece of nothing is the end, whatever was announced.
    this.total = piece.length === 0 ? joined.length : total;
  }
}
