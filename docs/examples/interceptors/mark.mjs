// Marks what passes, answers one path itself, and lets nothing private leave.
//
//     pinhole proxy --interceptor 'node docs/examples/interceptors/mark.mjs'
//
// Each line of standard input is a question, each line of standard output the answer with the same id.
import { createInterface } from "node:readline";

function answer({ at, request, response }) {
  if (at === "request") {
    if (request.path === "/teapot") {
      return { respond: { status: 418, fields: [["Content-Type", "text/plain"]], body: "short and stout\n" } };
    }
    if (request.body?.includes("secret")) return { drop: true, note: "it holds a secret" };
    const fields = request.fields.filter(([name]) => name.toLowerCase() !== "cookie");
    return { request: { fields: [...fields, ["X-Seen-By", "mark.mjs"]] } };
  }
  if (at === "response" && response.body?.includes("teapot")) {
    return { response: { body: response.body.replaceAll("teapot", "TEAPOT") } };
  }
  // Whatever else is asked, "hello" for one, goes on as it is.
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id: question.id, ...answer(question) }) + "\n");
}
