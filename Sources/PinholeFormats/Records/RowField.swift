import PinholeFilter
package import PinholeModel
package import PinholeStore

/// A field of the rows of a list.
package typealias RowField = RecordField<TrafficRow>

/// The fields of rows that need more than the record of the exchange or flow: heads, notes, and the flow of an exchange.
package enum RowFields {
    /// The fields of every list.
    package static let listed: [RowField] = [
        .init(
            "protocol",
            .text { $0.protocolWord },
            json: FieldJSON("protocol", values: ["h1", "h2", "ws"])
        ),
        .init("contentType", .text { $0.contentType }, json: "contentType", export: "contentType"),
        .init(
            "typeWord",
            .text { $0.typeWord },
            json: FieldJSON("typeWord", "The type as lists show it and filters take it: html.")
        ),
        .init("isMarked", .object(.boolean, { $0.note.isMarked }), json: "isMarked"),
        .init("comment", .text { $0.note.comment }, json: "comment", export: "comment"),
        .init(
            "isAnsweredFailure",
            .object(
                .boolean,
                { row in
                    guard case .flow(let flow) = row.kind, flow.isAnsweredFailure else { return nil }
                    return true
                }
            ),
            json: FieldJSON(
                "isAnsweredFailure",
                "True if an exchange shows the failed handshake of this flow."
            )
        ),
    ]

    /// The fields for timelines: the stages, and the reason for the request.
    package static let timeline: [RowField] = [
        .init(
            "timings",
            .object(.durations, { $0.exchange?.timings.milliseconds($0.connection) }),
            json: FieldJSON("timings", "Milliseconds by stage.")
        ),
        .init(
            "referer",
            .text { row in
                // A browser names the page of a WebSocket by its origin alone (RFC 6455 §4.1).
                let names = row.protocolWord == "ws" ? ["referer", "origin"] : ["referer"]
                return names.lazy.compactMap { row.requestFields?.first($0) }.first
            },
            json: FieldJSON("referer", "The Referer header of the request; for a WebSocket, its Origin.")
        ),
        .init(
            "destination",
            .text { $0.requestFields.flatMap(destination) },
            json: FieldJSON(
                "destination",
                "What the client wants it for: Sec-Fetch-Dest, or document where only Accept tells of a page."
            )
        ),
        .init(
            "serverTiming",
            .text { row in
                let texts = MessageRecord(head: row.responseHead).fields.all("server-timing")
                return row.exchange == nil || texts.isEmpty ? nil : texts.joined(separator: ", ")
            },
            json: FieldJSON("serverTiming", "The Server-Timing headers of the response.")
        ),
    ]

    /// Returns the destination of a request (Fetch, §3.2.7); `document` if only Accept tells of a navigation.
    ///
    /// Browsers send Sec-Fetch-Dest only to servers that they trust: with TLS, or on this machine.
    private static func destination(_ request: HeaderFields) -> String? {
        if let destination = request.first("sec-fetch-dest") { return destination }
        let accepted = request.first("accept") ?? ""
        return accepted.hasPrefix("text/html,application/xhtml+xml") ? "document" : nil
    }
}

extension TrafficRow {
    fileprivate var exchange: ExchangeRecord? {
        if case .exchange(let exchange) = kind { exchange } else { nil }
    }

    /// The word for the media type, as filters take it; `nil` without a type.
    package var typeWord: String? { contentType.map(TypeWord.shown) }

    /// Whether the row is a WebSocket.
    package var isWebSocket: Bool { exchange?.notes.contains(.webSocket) == true }

    /// `ws`, `h2` or `h1`; `nil` for a flow.
    fileprivate var protocolWord: String? {
        guard exchange != nil else { return nil }
        if isWebSocket { return "ws" }
        return version.map { $0.hasPrefix("HTTP/2") ? "h2" : "h1" }
    }

    /// The fields of the request; `nil` for a flow.
    fileprivate var requestFields: HeaderFields? {
        exchange == nil ? nil : MessageRecord(head: requestHead).fields
    }
}
