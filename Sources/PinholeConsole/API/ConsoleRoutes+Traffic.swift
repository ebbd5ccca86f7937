import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession

extension ConsoleRoute {
    /// The operations on exchanges and flows.
    static let traffic: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/state": .init(
            "The state of the console, and the extent of its capture",
            answers: [.json(ConsoleState.self, "The state.")],
            work: .reading { try $0.state($1) }
        ),
        "GET /api/traffic": .init(
            "A page of traffic, the newest first, or the items with these numbers",
            .filter,
            .ids,
            .before,
            .limit(ConsoleLimits().page),
            .within,
            answers: [.json(TrafficPageJSON.self, "The page; with ids in their order.")],
            problems: [422],
            work: .reading { try $0.traffic($1) }
        ),
        "DELETE /api/traffic": .init(
            "Remove the items that a filter selects, or those with these numbers: a request names one of both, and "
                + "filter=all removes everything",
            .filter,
            .ids,
            answers: [.none("The items are removed.")],
            problems: [422],
            work: .editing { try $0.remove($1) }
        ),
        "GET /api/traffic/index": .init(
            "The numbers of all matches in order",
            .filter,
            .number("after", "Only items with a higher number: long searches are asked for range by range."),
            .before,
            .sort,
            .order,
            answers: [
                .bytes(
                    "application/octet-stream",
                    "Unsigned LEB128 of the difference of each number to the one before; with sort, the difference d is "
                        + "written as 2d, or as -2d - 1 if it is below 0."
                )
            ],
            problems: [422],
            work: .reading { try $0.index($1) }
        ),
        "GET /api/traffic/{id}": .init(
            "An exchange or a flow in full, as flows show --json prints it, without the bytes of bodies",
            answers: [
                ConsoleContent(meaning: "The exchange or flow.", types: ["application/json"]) {
                    .either(
                        try NotedJSON<ExchangeDetailJSON>.schema(in: $0),
                        try NotedJSON<FlowDetailJSON>.schema(in: $0)
                    )
                }
            ],
            problems: [404],
            work: .reading { try $0.detail($1) }
        ),
        "PATCH /api/traffic/{id}": .init(
            "Mark it, or comment on it",
            body: .body(.object(["isMarked": .flag, "comment": .text.or("null")], isClosed: true)),
            answers: [.none("The note is kept.")],
            problems: [404],
            work: .editing { try $0.note($1) }
        ),
        "GET /api/traffic/{id}/request-body": body(.request),
        "GET /api/traffic/{id}/response-body": body(.response),
        "GET /api/traffic/{id}/code": .init(
            "A command or a program that sends the request again",
            .choice(
                "language",
                RequestCode.Language.allCases.map(\.rawValue),
                "The tool, or the language with its library."
            ).required,
            answers: [.bytes("text/plain", "The text.", schema: .text)],
            problems: [404, 422],
            work: .reading { try $0.code($1) }
        ),
        "GET /api/traffic/{id}/messages": .init(
            "Messages of a WebSocket or a stream",
            .number("after", "The last number that the client has."),
            .limit(ConsoleLimits().messages),
            answers: [
                ConsoleContent(meaning: "The messages.", types: ["application/json"]) { book in
                    .object(
                        [
                            "messages": .list(
                                of: .either(
                                    try book.schema(of: WebSocketMessageJSON.self),
                                    try book.schema(of: StreamJSON.Message.self)
                                )
                            ), "more": .flag,
                        ],
                        required: ["messages", "more"]
                    )
                }
            ],
            problems: [404],
            work: .reading { try $0.messages($1) }
        ),
        "POST /api/traffic/{id}/messages": .init(
            "Send a message in an open WebSocket, in the place of the other side; it is recorded as injected",
            body: .body(of: MessageOrder.self),
            answers: [.none("It was sent, or will be sent as soon as the message ends that is passing.")],
            problems: [409, 413],
            work: .later { try await $0.sendMessage() }
        ),
        "POST /api/traffic/{id}/abort": .init(
            "End a running exchange, or the relay of a flow, toward both sides; it is recorded as abortedByUser",
            answers: [.none("It is over.")],
            problems: [404, 409],
            work: .later { try await $0.abort() }
        ),
        "GET /api/flows/{id}/tls": .init(
            "Both handshakes, the real chain and the forged one, pins in every notation",
            answers: [
                .json(HandshakeReport.self, "The handshakes of the flow, or of the flow of the exchange.")
            ],
            problems: [404],
            work: .reading { try $0.handshakes($1) }
        ),
        "GET /api/hosts": .init(
            "The hosts, the last used first",
            .filter,
            answers: [.json(HostTallies.self, "The hosts.")],
            problems: [422],
            work: .reading { try $0.hosts($1) }
        ),
        "GET /api/statistics": .init(
            "Counts, bytes and times of exchanges, by one of their facts",
            .filter,
            .choice("by", ExchangeGroups.Key.allCases.map(\.rawValue), "The fact.").required,
            answers: [.json(ExchangeStatistics.self, "The groups, the largest first.")],
            problems: [422],
            work: .reading { try $0.statistics($1) }
        ),
    ]

    private static func body(_ owner: BodyOwner) -> ConsoleOperation {
        let part: [String: JSONSchema] = [
            "Pinhole-Total": .integer.meaning("The number of bytes of the whole body."),
            "Pinhole-Encoding": .text.meaning("The content codings of the message."),
            "Pinhole-Failure": .text.meaning("The reason why the body ends early."),
        ]
        let name = JSONSchema.text.meaning("The full name of the message, if its declaration is known.")
        return .init(
            "The body of the \(owner.rawValue), as an attachment",
            .decoded,
            .number("offset", "The first byte."),
            .length,
            .protobuf,
            answers: [
                .bytes(
                    "*/*",
                    "The body, with its own media type if the page may show it.",
                    fields: part.merging(["Pinhole-Message-Type": name]) { first, _ in first }
                ),
                .bytes(
                    "application/octet-stream",
                    "A part of the bytes; Content-Range says which.",
                    status: 206,
                    fields: part
                ),
            ],
            problems: [404, 416, 422],
            work: .reading { try $0.body(owner, $1) }
        )
    }
}
