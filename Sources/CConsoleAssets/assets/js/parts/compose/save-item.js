import { toast } from "../../core/announce.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { loadStyle } from "../../core/style.js";
import { capturedRequest } from "./captured-request.js";
import { askAndSave, proposedPlace } from "./compose-dialogs.js";
import { ComposeLibrary } from "./compose-library.js";

/** Saves a captured request to a collection of Compose. @param {number} id */
export async function saveItem(id) {
  try {
    const library = new ComposeLibrary();
    const [{ request, remarks }] = await Promise.all([capturedRequest(id), library.read(), loadStyle("/css/compose-page.css")]);
    await askAndSave(library, proposedPlace(library, request), async (collection, name, isNew) => {
      await library.save(collection, name, request, isNew);
      toast(`Saved ${name} to ${collection}.${remarks.length > 0 ? ` Beware: ${remarks.join("; ")}.` : ""}`,
        [{ label: "Open Compose", run: () => route.go("#/compose") }]);
    });
  } catch (error) {
    toast(`Not saved: ${Problem.of(error).sentence}`);
  }
}
