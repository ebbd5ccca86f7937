import { Emitter } from "./emitter.js";

/** A stream of server-sent events that lasts as long as a page is shown. The feed emits each event by its name. */
export class EventFeed extends Emitter {
  /** @param {string} path */
  constructor(path) {
    super();
    this.source = new EventSource(path);
  }

  /**
   * @param {string} name
   * @param {(value: any) => void} listener
   */
  on(name, listener) {
    this.source.addEventListener(name, (event) => this.emit(name, JSON.parse(event.data)));
    return super.on(name, listener);
  }

  close() {
    this.source.close();
  }
}
