// Written by make reference from the fields of the program: ExchangeFields and FlowFields.

/**
 * @typedef {object} Traffic One row of the list: an exchange, or a flow that has none.
 * @property {"exchange" | "flow"} type
 * @property {number} id
 * @property {number} [flow]
 * @property {string} [started]
 * @property {string} [method]
 * @property {"http" | "https"} [scheme]
 * @property {string} [host]
 * @property {number} [port]
 * @property {string} [path]
 * @property {string} [url]
 * @property {number} [status]
 * @property {number} [messages] The number of messages of a WebSocket.
 * @property {number} [messageBytes] The bytes of the messages of a WebSocket, as they were sent.
 * @property {number} [requestBytes]
 * @property {number} [responseBytes]
 * @property {number} [milliseconds]
 * @property {string} [outcome]
 * @property {"completed" | "failed" | "broken" | "relayed" | "spare" | "stopped"} [standing] The result.
 * @property {string} [detail]
 * @property {string} [cause] Why it failed, in a few words; missing if the status says it.
 * @property {string} [remedy] What to do.
 * @property {number} [grpcStatus] The status of a call of gRPC; 2 if none came.
 * @property {number} [graphqlErrors] The number of errors in the response of GraphQL.
 * @property {number} [webSocketClose] The code of the first close frame of a WebSocket.
 * @property {string} [protocolError] The error of gRPC, GraphQL or a WebSocket, in words.
 * @property {string} [responseServer] The Server header of the response.
 * @property {string} [graphql] The types and names of the operations of GraphQL in the request, such as `mutation Pay`.
 * @property {string[]} [notes] Actions of the proxy beyond passing the messages on.
 * @property {import("./types.js").RuleHits} [rules] The rules that acted, in their order; of one exchange, not in lists.
 * @property {string} [proxyUser] The user who logged in to the proxy, where somebody has to.
 * @property {string} [opened]
 * @property {string} [closed]
 * @property {string} [authority]
 * @property {string} [server]
 * @property {string} [nextHop]
 * @property {"intercepted" | "passedThrough" | "opaque" | "plain" | "local"} [treatment]
 * @property {string} [reason] Why the tunnel was treated so.
 * @property {string} [tlsGroup] The group of the key exchange with the client.
 * @property {string} [ja4] The client's fingerprint by JA4.
 * @property {string} [client]
 * @property {import("./types.js").ClientProcess} [clientProcess] The program that made the connection, where it runs on this machine and was found out.
 * @property {"http" | "https" | "socks4" | "socks5" | "reverse" | "transparent"} [listenerKind]
 * @property {string} [fault]
 * @property {number} [exchanges]
 * @property {number} [bytesFromClient]
 * @property {number} [bytesFromServer]
 * @property {"h1" | "h2" | "ws"} [protocol]
 * @property {string} [contentType]
 * @property {string} [typeWord] The type as lists show it and filters take it: html.
 * @property {import("./types.js").HandshakeFailure} [handshakeFailure]
 * @property {boolean} isMarked
 * @property {string} [comment]
 * @property {boolean} [isAnsweredFailure] True if an exchange shows the failed handshake of this flow.
 * @property {Record<string, number>} [timings] Milliseconds by stage.
 * @property {string} [referer] The Referer header of the request; for a WebSocket, its Origin.
 * @property {string} [destination] What the client wants it for: Sec-Fetch-Dest, or document where only Accept tells of a page.
 * @property {string} [serverTiming] The Server-Timing headers of the response.
 */
export {};
