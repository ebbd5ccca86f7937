// Firefox lays out no element that is higher than about 17.8 million pixels.
const tallest = 8_000_000;

/**
 * A scroll bar for more rows than an element can be high.
 *
 * A small movement of the bar moves the rows by as many pixels. A large one, such as a drag of the thumb, goes to the
 * same share of the rows. When scrolling stops, the bar is set to the place of the rows.
 */
export class ScrollSpace {
  /** Pixels of rows above the first visible pixel. */
  top = 0;
  #total = 0;
  #viewport = 0;
  #physical = 0;
  #timer = 0;

  /**
   * @param {HTMLElement} scroller
   * @param {HTMLElement} canvas The element whose height sets the scroll bar.
   * @param {() => void} moved
   */
  constructor(scroller, canvas, moved) {
    this.scroller = scroller;
    this.canvas = canvas;
    scroller.addEventListener("scroll", () => {
      if (this.#follow()) moved();
    }, { passive: true });
  }

  get farthest() {
    return Math.max(0, this.#total - this.#viewport);
  }

  /**
   * @param {number} total Pixels of all rows.
   * @param {number} viewport Pixels of visible rows.
   * @param {number} chrome Pixels of the parts that do not scroll.
   */
  measure(total, viewport, chrome) {
    if (total === this.#total && viewport === this.#viewport) return;
    this.#total = total;
    this.#viewport = viewport;
    this.canvas.style.height = `${Math.min(total, tallest) + chrome}px`;
    this.goTo(this.top);
  }

  /** @param {number} top */
  goTo(top) {
    this.top = Math.max(0, Math.min(top, this.farthest));
    this.#settle();
  }

  #settle() {
    clearTimeout(this.#timer);
    const place = Math.round(this.#placeOf(this.top));
    if (Math.abs(this.scroller.scrollTop - place) >= 1) this.scroller.scrollTop = place;
    this.#physical = this.scroller.scrollTop;
  }

  #placeOf(top) {
    const range = Math.min(this.#total, tallest) - this.#viewport;
    return this.farthest > 0 ? top / this.farthest * Math.max(0, range) : 0;
  }

  #follow() {
    const place = this.scroller.scrollTop;
    const moved = place - this.#physical;
    if (moved === 0) return false;
    this.#physical = place;
    if (this.#total <= tallest) {
      this.top = Math.min(place, this.farthest);
      return true;
    }
    const range = tallest - this.#viewport;
    const isSmall = Math.abs(moved) <= this.#viewport * 1.5;
    this.top = Math.max(0, Math.min(isSmall ? this.top + moved : place / range * this.farthest,
      this.farthest));
    const margin = this.#viewport;
    const isNearEnd = (place < margin && this.top > margin)
      || (place > range - margin && this.top < this.farthest - margin);
    clearTimeout(this.#timer);
    if (isNearEnd) this.#settle();
    else this.#timer = setTimeout(() => this.#settle(), 150);
    return true;
  }
}
