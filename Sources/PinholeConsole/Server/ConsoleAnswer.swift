import PinholeFormats

/// The answer to a request.
package struct ConsoleAnswer: Sendable {
    /// The body of an answer.
    package enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A source that produces bytes as they are read; `length` is `nil` if it is unknown.
        case source(any BodySource, length: Int64?)
    }

    /// The HTTP status.
    package var status: Int
    /// The field lines, without those that every answer has.
    package var fields: [(name: String, value: String)]
    /// The body, in memory or as a stream.
    package var body: Body

    /// Creates an answer.
    package init(_ status: Int, fields: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Returns an answer with a JSON document.
    package static func json(_ value: some Encodable, status: Int = 200) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "application/json")],
            body: .bytes(Array(JSONLine.text(value).utf8))
        )
    }

    /// Returns an answer with one line of plain text.
    package static func text(_ text: String, status: Int) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(text)\n".utf8))
        )
    }

    /// Returns an answer with an HTML page.
    static func html(_ text: String, status: Int) -> ConsoleAnswer {
        ConsoleAnswer(
            status,
            fields: [("Content-Type", "text/html; charset=utf-8")],
            body: .bytes(Array(text.utf8))
        )
    }
}

/// A source that produces the bytes of an answer as they are read.
package protocol BodySource: AnyObject, Sendable {
    /// Produces the next piece, on any thread; only one piece is requested at a time.
    func next(_ done: @escaping @Sendable (BodyPiece) -> Void)
    /// Called after a piece with ``BodyPiece/Sequel/wait(atMost:)``.
    ///
    /// - Parameter action: Called on any thread as soon as there is another piece, perhaps more than once.
    func wake(_ action: @escaping @Sendable () -> Void)
    /// Called when the client no longer reads, so that the source stops its work.
    func cancel()
}

extension BodySource {
    /// Does nothing, for sources whose pieces do not wait.
    package func wake(_ action: @escaping @Sendable () -> Void) {}

    /// Does nothing, for sources without work to stop.
    package func cancel() {}
}

/// A piece of an answer's body.
package struct BodyPiece: Sendable, Equatable {
    /// The continuation after a piece.
    package enum Sequel: Sendable, Equatable {
        /// Another piece follows, and is requested as soon as there is room.
        case next
        /// Another piece follows, but is not requested before this time has passed.
        case pause(Duration)
        /// Another piece follows, and is requested as soon as the source wakes its reader, or after this time.
        case wait(atMost: Duration)
        /// The body is complete.
        case end
        /// The body is incomplete, so the connection ends without the end of the body, which tells the client.
        case failure
    }

    /// The bytes, possibly none.
    package var bytes: [UInt8]
    /// The continuation after this piece.
    package var sequel: Sequel

    /// Creates a piece.
    package init(_ bytes: [UInt8], then sequel: Sequel) {
        self.bytes = bytes
        self.sequel = sequel
    }
}
