/// What a request is answered with.
package struct ConsoleAnswer: Sendable {
    /// The body of an answer.
    package enum Body: Sendable {
        /// Bytes that are there.
        case bytes([UInt8])
        /// Bytes that are made as they are read; `nil` where nobody knows how many.
        case source(any BodySource, length: Int64?)
    }

    /// The status.
    package var status: Int
    /// The field lines, without those that every answer has.
    package var fields: [(name: String, value: String)]
    /// The body.
    package var body: Body

    /// Creates an answer.
    package init(_ status: Int, fields: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A JSON document.
    static func json(_ value: some Encodable, status: Int = 200) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "application/json")],
            body: .bytes(Array(JSONLine.text(value).utf8))
        )
    }

    /// Plain text, a line.
    static func text(_ text: String, status: Int) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8))
        )
    }

    /// A page.
    static func html(_ text: String, status: Int) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "text/html; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }
}

/// Makes the bytes of an answer as they are read.
package protocol BodySource: AnyObject, Sendable {
    /// Makes the next piece, on any thread; one is asked for at a time.
    func next(_ done: @escaping @Sendable (BodyPiece) -> Void)
    /// Nobody reads any more.
    func cancel()
}

extension BodySource {
    /// Nothing is to be given up.
    package func cancel() {}
}

/// A piece of an answer.
package struct BodyPiece: Sendable, Equatable {
    /// What follows it.
    package enum Sequel: Sendable, Equatable {
        /// The next piece, as soon as there is room.
        case next
        /// The next piece, but not before so long.
        case pause(Duration)
        /// Nothing.
        case end
        /// Nothing, though there should be more: the connection is cut, so that the client can tell.
        case failure
    }

    /// The bytes, none perhaps.
    package var bytes: [UInt8]
    /// What follows.
    package var sequel: Sequel

    /// Creates a piece.
    package init(_ bytes: [UInt8], then sequel: Sequel) {
        self.bytes = bytes
        self.sequel = sequel
    }
}
