import PinholeModel
import PinholeSession

extension ConsoleRoute {
    /// The operations of the page Compose.
    static let compose: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/compose": .init(
            "The collections of requests, the values of their variables, and the requests that were sent",
            answers: [library],
            problems: [409],
            work: .later { try $0.composeLibrary() }
        ),
        "PATCH /api/compose/collections/{collection}": .init(
            "Rename a collection",
            body: .body(.object(["name": .text], required: ["name"], isClosed: true)),
            answers: [library],
            problems: [404, 409, 422],
            work: .later { try $0.renameCollection() }
        ),
        "DELETE /api/compose/collections/{collection}": .init(
            "Remove a collection with its requests",
            answers: [library],
            problems: [404, 409, 422],
            work: .later { try $0.removeCollection() }
        ),
        "PUT /api/compose/collections/{collection}/{request}": .init(
            "Save a request; a collection that does not exist is made",
            body: .body(of: WrittenRequest.self) {
                $0.merging(
                    .object([
                        "isNew": .flag.keyword("default", .boolean(false)).meaning(
                            "Whether a request of this name must not exist yet."
                        )
                    ])
                )
            },
            answers: [library],
            problems: [409, 413, 422],
            work: .later { try $0.saveComposed() }
        ),
        "PATCH /api/compose/collections/{collection}/{request}": .init(
            "Rename a request, or move it",
            body: .body(
                .object(
                    [
                        "name": .text, "collection": .text.meaning("The collection that it moves to."),
                        "at": .small.range(0...Int64.max).meaning(
                            "Its place in the collection, counted from 0."
                        ),
                    ],
                    isClosed: true
                )
            ),
            answers: [library],
            problems: [404, 409, 422],
            work: .later { try $0.moveComposed() }
        ),
        "DELETE /api/compose/collections/{collection}/{request}": .init(
            "Remove a request",
            answers: [library],
            problems: [404, 409, 422],
            work: .later { try $0.removeComposed() }
        ),
        "PUT /api/compose/environments/{name}": .init(
            "Save a set of values for variables",
            body: .body(of: RequestCollections.Environment.self) { $0.lacking(["name"]) },
            answers: [library],
            problems: [409, 413, 422],
            work: .later { try $0.saveEnvironment() }
        ),
        "DELETE /api/compose/environments/{name}": .init(
            "Remove a set of values",
            answers: [library],
            problems: [404, 409, 422],
            work: .later { try $0.removeEnvironment() }
        ),
        "POST /api/compose/history": .init(
            "Add a request that was sent",
            body: .body(of: ComposeHistory.Entry.self) { $0.lacking(["id", "at"]) },
            answers: [library],
            problems: [409, 422],
            work: .later { try $0.addToHistory() }
        ),
        "DELETE /api/compose/history": .init(
            "Forget every request that was sent",
            answers: [library],
            problems: [409],
            work: .later { try $0.clearHistory() }
        ),
        "DELETE /api/compose/history/{id}": .init(
            "Forget a request that was sent",
            answers: [library],
            problems: [404, 409],
            work: .later { try $0.removeFromHistory() }
        ),
        "POST /api/send": .init(
            "Send a request once, by Pinhole's own client",
            body: .body(of: RequestOrder.self),
            answers: [.json(SentRequest.self, "The response.")],
            problems: [404, 409, 422, 502],
            work: .later { try await $0.send() }
        ),
    ]

    private static let library = ConsoleContent.json(ComposeListing.self, "The library, as it is now.")
}
