// Prints the QR codes of a JSON array of texts as rows of digits, with the message of the error for a text that has none.
import { page } from "./page.mjs";

const { qrCode } = await page("pages/connect/qr-code.js");
console.log(JSON.stringify(JSON.parse(process.argv[2]).map((text) => {
  try {
    return qrCode(text).map((row) => row.map((dark) => dark ? "1" : "0").join(""));
  } catch (error) {
    return error.message;
  }
})));
