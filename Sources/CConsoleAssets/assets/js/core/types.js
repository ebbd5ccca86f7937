/**
 * The objects of the API, as far as the pages read them. Nothing is exported at run time.
 *
 * @typedef {object} HandshakeFailure
 * @property {"client" | "server"} peer
 * @property {string} cause
 * @property {boolean} isHint Whether the cause is a guess.
 * @property {string} [endedBy]
 * @property {string} [alert]
 * @property {number} [alertCode]
 * @property {number} [bytesAfterHandshake]
 * @property {number} [milliseconds]
 * @property {string} detail
 *
 * @typedef {import("./traffic.js").Traffic} Traffic One row of the list.
 *
 * @typedef {object} ClientProcess The program that made the connection.
 * @property {number} pid
 * @property {string} name
 * @property {string} [path]
 *
 * @typedef {{ rule: string, kind: string, effect: string }[]} RuleHits The rules that acted.
 *
 * @typedef {object} Held A message that is held at a breakpoint.
 * @property {number} id
 * @property {number} [exchange]
 * @property {"request" | "response"} at
 * @property {string} rule
 * @property {string} method
 * @property {string} url
 * @property {string} path
 * @property {number} [status] Of a response.
 * @property {number} length
 * @property {string} since
 * @property {string} until
 * @property {number} secondsLeft
 * @property {[string, string][]} [fields] Only in the response for a single message, like the next two.
 * @property {string} [bodyBase64]
 * @property {string} [trouble]
 *
 * @typedef {object} BodyReference
 * @property {number} length Bytes that the proxy relayed.
 * @property {number} captured Bytes that the capture holds.
 * @property {boolean} isComplete
 *
 * @typedef {object} Message One request or response.
 * @property {string} head Byte for byte, as Latin-1.
 * @property {string} [trailers]
 * @property {BodyReference} [body]
 *
 * @typedef {object} Detail
 * @property {Traffic} [exchange]
 * @property {Record<string, number>} [timings]
 * @property {Message} [request]
 * @property {Message} [response]
 * @property {object} [flow]
 * @property {object[]} [dials]
 * @property {string} [advice] Advice about the outcome.
 * @property {object} [stream]
 * @property {number} [messageCount]
 *
 * @typedef {object} Certificate
 * @property {string} subject
 * @property {string} issuer
 * @property {string[]} names
 * @property {string} serial
 * @property {string} notBefore
 * @property {string} notAfter
 * @property {{type: string, bits: number, description?: string}} key
 * @property {string} signature
 * @property {string} sha256
 * @property {string} derBase64
 * @property {{oid: string, name: string, critical: boolean, text: string}[]} extensions
 * @property {Record<string, string>} pins
 * @property {string} [trouble] Why the certificate could not be read.
 */
export {};
