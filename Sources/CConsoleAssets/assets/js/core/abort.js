import { ask } from "./api.js";
import { toast } from "./announce.js";
import { Problem } from "./problem.js";
import { isRunning } from "./facts.js";

/**
 * Ends a running exchange, or the relay of a tunnel, toward both sides. The result arrives with the traffic.
 *
 * @param {import("./types.js").Traffic} item
 */
export async function abort(item) {
  if (!isRunning(item)) {
    toast("The exchange has already ended");
    return;
  }
  try {
    await ask(`/api/traffic/${item.id}/abort`, { method: "POST" });
    toast(item.type === "flow" ? "The tunnel was ended" : "The exchange was ended");
  } catch (error) {
    toast(`Not ended: ${Problem.of(error).sentence}`);
  }
}
