import PinholeModel
import PinholeRules

/// The checks of a decision about the message.
extension MessageQuestion {
    /// Checks a decision.
    ///
    /// - Parameter verdict: The decision; it may repeat unchanged parts.
    /// - Throws: ``DecisionFailure`` when the decision is not possible for the message.
    package func check(_ verdict: MessageDecision) throws(DecisionFailure) {
        switch verdict.way {
        case .drop: return
        case .respond:
            let status = verdict.status ?? 200
            try require(200...599 ~= status, .status, "200 to 599", "\(status)")
            try checkContent(verdict.body, status)
        case .proceed:
            if isHeadAlone {
                try refuse(
                    (verdict.body?.count).map { "\($0) bytes" },
                    .body,
                    "none, since only headers are asked about"
                )
            }
            if let status { try checkResponse(verdict, status) } else { try checkRequest(verdict) }
        }
        let sendable = "a header that does not frame the message and has no control characters"
        for (index, field) in (verdict.fields ?? []).enumerated() {
            try require(field.canBeSent, .field(index), sendable, Self.quoted(field.name))
        }
    }

    /// Whether the body passes unchanged, since the question is only about the head.
    private var isHeadAlone: Bool { !point.wantsBody }

    private func checkRequest(_ verdict: MessageDecision) throws(DecisionFailure) {
        if let new = verdict.method, new != message.request.method {
            try require(message.request.method != "HEAD", .method, "HEAD, as it was", Self.quoted(new))
            // The responses to these methods have another form than those to other methods.
            let isPossible = FieldText.isToken(new) && new != "CONNECT" && new != "HEAD"
            try require(isPossible, .method, "a method other than CONNECT and HEAD", Self.quoted(new))
        }
        // The path of OPTIONS * is allowed if it stays unchanged.
        if let new = verdict.path, new != message.request.path {
            let isPossible = new.hasPrefix("/") && FieldText.isPath(new.utf8)
            try require(
                isPossible,
                .path,
                "a path that begins with “/”, without spaces and “#”",
                Self.quoted(new)
            )
        }
        try refuse(verdict.status?.description, .status, "none, since a request is held")
    }

    private func checkResponse(_ verdict: MessageDecision, _ status: Int) throws(DecisionFailure) {
        let ofRequest = "none, since a response is held"
        try refuse(verdict.method.map(Self.quoted), .method, ofRequest)
        try refuse(verdict.path.map(Self.quoted), .path, ofRequest)
        if let new = verdict.status, new != status {
            let isPossible = 200...599 ~= new && new != 205
            try require(isPossible, .status, "200 to 599 other than 205", "\(new)")
            let hadContent = Self.hasContent(status)
            let sameKind = "a status that \(hadContent ? "may have" : "forbids") content as \(status)"
            // The body is being forwarded already.
            try require(!isHeadAlone || Self.hasContent(new) == hadContent, .status, sameKind, "\(new)")
        }
        try checkContent(verdict.body, verdict.status ?? status)
        guard message.request.method == "HEAD", let body = verdict.body else { return }
        try require(body.isEmpty, .body, "none, since HEAD is answered", "\(body.count) bytes")
    }

    private func checkContent(_ body: [UInt8]?, _ status: Int) throws(DecisionFailure) {
        guard let body, !body.isEmpty else { return }
        let isPossible = Self.hasContent(status)
        try require(isPossible, .body, "none, since \(status) forbids content", "\(body.count) bytes")
    }

    private func require(
        _ isPossible: Bool,
        _ part: DecisionFailure.Part,
        _ expected: String,
        _ found: @autoclosure () -> String
    ) throws(DecisionFailure) {
        if !isPossible { try refuse(found(), part, expected) }
    }

    private func refuse(
        _ found: String?,
        _ part: DecisionFailure.Part,
        _ expected: String
    ) throws(DecisionFailure) {
        if let found { throw DecisionFailure(part: part, expected: expected, found: found) }
    }

    /// Whether a response with this status may have content (RFC 9110 §15.3.5, §15.3.6 and §15.4.5).
    private static func hasContent(_ status: Int) -> Bool {
        RuleResponse.mayHaveContent(status) && status != 205
    }

    private static func quoted(_ text: String) -> String { TerminalText.quoted(text) }
}
