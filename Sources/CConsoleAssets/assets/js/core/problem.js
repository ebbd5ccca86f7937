/** The reason why a request failed: the server's problem document (RFC 9457), or a missing response. */
export class Problem extends Error {
  /**
   * @param {{title?: string, status?: number, detail?: string, remedy?: string, column?: number, suggestion?:
   * string, index?: number, isUnanswered?: boolean}} facts
   */
  constructor(facts) {
    super(facts.detail ?? facts.title ?? "The request failed.");
    this.name = "Problem";
    this.title = facts.title ?? "The request failed";
    this.status = facts.status ?? 0;
    this.detail = facts.detail;
    this.remedy = facts.remedy;
    this.column = facts.column;
    this.suggestion = facts.suggestion;
    this.index = facts.index;
    this.isUnanswered = facts.isUnanswered ?? false;
  }

  /** @param {unknown} error */
  static of(error) {
    return error instanceof Problem ? error : new Problem(
      { title: "The page made a mistake", detail: String(error) });
  }

  /** The problem in one line for the user. */
  get sentence() {
    const said = this.title + (this.detail ? ": " + this.detail : "");
    return [/[.!?…]\)?$/.test(said) ? said : said + ".", this.remedy].filter(Boolean).join(" ");
  }
}
