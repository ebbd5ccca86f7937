// Written by make reference from the types of the API.

/**
 * The objects of the API. Nothing is exported at run time.
 *
 * @typedef {ExchangeDetailBody} BodyReference
 * @typedef {CertificateReport} Certificate
 * @typedef {ExchangeDetail} Detail
 * @typedef {HeldListing} Held
 * @typedef {ExchangeDetailMessage} Message
 * @typedef {RuleHit[]} RuleHits
 * @typedef {import("./traffic.js").Traffic} Traffic
 *
 * @typedef {object} CertificateReport
 * @property {string} derBase64
 * @property {(CertificateReportExtension)[]} extensions
 * @property {string} issuer
 * @property {CertificateReportKey} key
 * @property {(string)[]} names
 * @property {string} notAfter
 * @property {string} notBefore
 * @property {Record<string, string>} pins
 * @property {string} serial
 * @property {string} sha256
 * @property {string} signature
 * @property {string} subject
 * @property {string} [trouble]
 *
 * @typedef {object} CertificateReportExtension
 * @property {boolean} critical
 * @property {string} name
 * @property {string} oid
 * @property {string} text
 *
 * @typedef {object} CertificateReportKey
 * @property {number} [bits]
 * @property {string} description
 * @property {string} type
 *
 * @typedef {object} ClientHelloRecord
 * @property {(string)[]} applicationProtocols
 * @property {(number)[]} cipherSuites
 * @property {(number)[]} extensions
 * @property {(number)[]} groups
 * @property {string} [ja4]
 * @property {(number)[]} [keyShares]
 * @property {string} [serverName]
 * @property {(number)[]} signatureSchemes
 * @property {(number)[]} versions
 *
 * @typedef {object} ClientProcess
 * @property {string} name
 * @property {string} [path] The file that it runs.
 * @property {number} pid
 *
 * @typedef {object} Exchange
 * @property {string} [cause] Why it failed, in a few words; missing if the status says it.
 * @property {string} [detail]
 * @property {number} [flow]
 * @property {string} [graphql] The types and names of the operations of GraphQL in the request, such as `mutation Pay`.
 * @property {number} [graphqlErrors] The number of errors in the response of GraphQL.
 * @property {number} [grpcStatus] The status of a call of gRPC; 2 if none came.
 * @property {number} id
 * @property {number} [messageBytes] The bytes of the messages of a WebSocket, as they were sent.
 * @property {number} [messages] The number of messages of a WebSocket.
 * @property {string} [method]
 * @property {number} [milliseconds]
 * @property {("altSvcRemoved" | "connectionReused" | "retried" | "upgraded" | "answeredEarly" | "webSocket" | "webSocketBroken" | "interimLeftOut" | "ruled" | "viaAdded" | "clientCertificateMissing" | "hostDiffers" | "answerStatusLine" | "answerLineEnds" | "answerFieldNames" | "answerFolding" | "answerControls" | "answerTransferEncoding" | "answerContentLength" | "answerChunks" | "answerTrailers" | "answerExcess")[]} [notes] Actions of the proxy beyond passing the messages on.
 * @property {string} [outcome]
 * @property {string} [protocolError] The error of gRPC, GraphQL or a WebSocket, in words.
 * @property {string} [proxyUser] The user who logged in to the proxy, where somebody has to.
 * @property {string} [remedy] What to do.
 * @property {number} [requestBytes]
 * @property {number} [responseBytes]
 * @property {string} [responseServer] The Server header of the response.
 * @property {(RuleHit)[]} [rules] The rules that acted, in their order; of one exchange, not in lists.
 * @property {"completed" | "failed" | "broken" | "relayed" | "spare" | "stopped"} [standing] The result.
 * @property {string} [started]
 * @property {number} [status]
 * @property {"exchange"} type
 * @property {string} [url]
 * @property {number} [webSocketClose] The code of the first close frame of a WebSocket.
 *
 * @typedef {object} ExchangeDetail
 * @property {string} [advice] Advice about the outcome.
 * @property {Exchange} exchange
 * @property {FlowDetail} [flow]
 * @property {(WebSocketMessage)[]} [messages]
 * @property {ExchangeDetailMessage} request
 * @property {ExchangeDetailMessage} [response]
 * @property {Stream} [stream] The messages of a stream.
 * @property {Record<string, number>} timings Milliseconds by stage.
 *
 * @typedef {object} ExchangeDetailBody
 * @property {number} captured
 * @property {string} [encoding]
 * @property {boolean} isComplete
 * @property {number} length
 * @property {string} [type]
 *
 * @typedef {object} ExchangeDetailMessage
 * @property {ExchangeDetailBody} body
 * @property {string} [bodyBase64]
 * @property {number} bodyBytes
 * @property {string} head The head as Latin-1, which keeps every byte.
 * @property {boolean} isComplete
 * @property {number} recordedBytes
 * @property {string} [trailers]
 *
 * @typedef {object} Flow
 * @property {string} [authority]
 * @property {number} [bytesFromClient]
 * @property {number} [bytesFromServer]
 * @property {string} [cause]
 * @property {string} [client]
 * @property {ClientProcess} [clientProcess] The program that made the connection, where it runs on this machine and was found out.
 * @property {string} [closed]
 * @property {string} [detail]
 * @property {number} [exchanges]
 * @property {string} [fault]
 * @property {HandshakeFailure} [handshakeFailure]
 * @property {number} id
 * @property {string} [ja4] The client's fingerprint by JA4.
 * @property {"http" | "https" | "socks4" | "socks5" | "reverse" | "transparent"} [listenerKind]
 * @property {string} [nextHop]
 * @property {string} [opened]
 * @property {string} [outcome]
 * @property {string} [proxyUser]
 * @property {string} [reason] Why the tunnel was treated so.
 * @property {string} [remedy]
 * @property {string} [server]
 * @property {"completed" | "failed" | "broken" | "relayed" | "spare" | "stopped"} [standing] The result.
 * @property {string} [tlsGroup] The group of the key exchange with the client.
 * @property {"intercepted" | "passedThrough" | "opaque" | "plain" | "local"} [treatment]
 * @property {"flow"} type
 *
 * @typedef {object} FlowDetail
 * @property {FlowDetailHandshake} [client]
 * @property {ClientHelloRecord} [clientHello] The client's offer.
 * @property {(FlowDetailDial)[]} dials
 * @property {Flow} flow
 * @property {InboundTransport} [inbound] The protocol and TLS between client and proxy; missing for plain HTTP/1.1.
 * @property {KeyExchange} [keyExchange]
 * @property {FlowDetailHandshake} [server]
 *
 * @typedef {object} FlowDetailCertificate
 * @property {string} derBase64
 * @property {string} [issuer]
 * @property {(string)[]} [names]
 * @property {string} [notAfter]
 * @property {string} [notBefore]
 * @property {string} [pin] The pin of its key: sha256/ and Base64.
 * @property {string} [subject]
 *
 * @typedef {object} FlowDetailDial
 * @property {string} address
 * @property {string} [failure]
 * @property {number} milliseconds
 *
 * @typedef {object} FlowDetailHandshake
 * @property {string} [applicationProtocol]
 * @property {(FlowDetailCertificate)[]} chain The chain that the peer presented, leaf first.
 * @property {string} [cipher]
 * @property {string} [exemption] Why a certificate that failed was used nevertheless.
 * @property {HandshakeFailure} [failure]
 * @property {string} [group] The group of the key exchange by its name at IANA.
 * @property {boolean} isResumed
 * @property {number} milliseconds
 * @property {boolean} requestedClientCertificate
 * @property {string} [serverName]
 * @property {string} [verification] The verifier's finding; missing if it found nothing wrong or was not asked.
 * @property {string} [version]
 *
 * @typedef {object} HandshakeFailure
 * @property {string} [alert]
 * @property {number} [alertCode]
 * @property {number} bytesAfterHandshake
 * @property {string} cause
 * @property {string} detail
 * @property {string} [endedBy]
 * @property {boolean} isHint Whether the cause is only probable.
 * @property {number} milliseconds
 * @property {"client" | "server"} peer The peer of the proxy.
 * @property {string} summary The cause in a few words.
 *
 * @typedef {object} HeldListing
 * @property {"request" | "response"} at
 * @property {string} [bodyBase64]
 * @property {number} [exchange]
 * @property {((string)[])[]} [fields]
 * @property {number} id
 * @property {number} length
 * @property {string} method
 * @property {string} path
 * @property {string} rule
 * @property {number} secondsLeft
 * @property {string} since
 * @property {number} [status]
 * @property {string} [trouble]
 * @property {string} until
 * @property {string} url
 *
 * @typedef {object} InboundTransport
 * @property {string} applicationProtocol
 * @property {string} [cipher]
 * @property {number} [connection]
 * @property {number} [stream]
 * @property {string} [version]
 *
 * @typedef {object} KeyExchange
 * @property {string} [client] The group on the client's side.
 * @property {"weakened" | "perhapsWeakened"} [effect] What the interception changed; missing if nothing.
 * @property {string} [explanation] The effect in a sentence or two.
 * @property {(string)[]} offered The client's groups, in its order.
 * @property {(string)[]} [offeredToServer] The groups that the proxy offered to the server.
 * @property {string} [server] The group on the server's side.
 * @property {(string)[]} [shares] The groups of the client's key shares.
 * @property {(string)[]} [sharesToServer] The groups of the proxy's key shares.
 *
 * @typedef {object} RuleHit
 * @property {string} effect
 * @property {string} kind
 * @property {string} rule
 *
 * @typedef {object} Stream
 * @property {StreamStatus} [grpcStatus]
 * @property {number} [grpcTimeoutMilliseconds]
 * @property {number} leftOut The messages that are not included.
 * @property {(StreamMessage)[]} messages
 * @property {string} [requestFormat]
 * @property {string} [responseFormat]
 * @property {(string)[]} troubles The parts that could not be read.
 *
 * @typedef {object} StreamEvent
 * @property {(string)[]} [comments]
 * @property {string} [data]
 * @property {string} [id]
 * @property {number} [retry]
 * @property {string} type
 *
 * @typedef {object} StreamMessage
 * @property {string} [base64]
 * @property {number} bytes
 * @property {string} [compression]
 * @property {StreamEvent} [event]
 * @property {boolean} isComplete
 * @property {boolean} [isCut] Whether only the beginning of the text or the bytes is included.
 * @property {unknown} [json] A value of JSON.
 * @property {string} kind
 * @property {number} milliseconds
 * @property {number} number
 * @property {number} offset
 * @property {object} [protobuf]
 * @property {"client" | "server"} sender
 * @property {string} [text]
 * @property {string} time
 * @property {((string)[])[]} [trailers]
 * @property {string} [trouble]
 *
 * @typedef {object} StreamStatus
 * @property {number} [code]
 * @property {StreamStatusDetails} [details]
 * @property {string} [message]
 * @property {string} [name]
 *
 * @typedef {object} StreamStatusDetails
 * @property {number} code
 * @property {(StreamStatusDetailsDetail)[]} details
 * @property {string} message
 *
 * @typedef {object} StreamStatusDetailsDetail
 * @property {string} [base64]
 * @property {object} [protobuf]
 * @property {string} typeURL
 *
 * @typedef {object} WebSocketMessage
 * @property {string} [base64]
 * @property {number} bytes
 * @property {number} [closeCode]
 * @property {string} [closeReason]
 * @property {string} [detail]
 * @property {number} frames
 * @property {boolean} isComplete
 * @property {boolean} isCompressed
 * @property {string} kind
 * @property {number} milliseconds
 * @property {(string)[]} notes
 * @property {number} number
 * @property {number} recordedBytes
 * @property {"client" | "server"} sender
 * @property {number} sinceStart Milliseconds since the exchange began.
 * @property {string} started
 * @property {string} [text]
 * @property {string} [undecoded] Why the content was not decompressed.
 */
export {};
