import PinholeModel

extension ValueChecker {
    /// The kind of a text in the record of a flow.
    private enum RecordText {
        case peer, token, authority, host, tls, alpn, ja4
        case words(Set<String>)
    }

    private static let sides = RecordText.words(["client", "server"])

    /// The members of the record that hold texts; the texts of another member are explained by nothing.
    private static let texts: [String: RecordText] = [
        "client": .peer, "listener": .peer, "server": .peer, "address": .peer, "proxyUser": .token,
        "reason": .token,
        "nextHop": .token, "failure": .token, "verification": .token, "exemption": .token, "detail": .token,
        "authority": .authority, "serverName": .host, "version": .tls, "cipher": .tls, "group": .tls,
        "applicationProtocol": .alpn, "applicationProtocols": .alpn, "ja4": .ja4, "peer": sides,
        "fault": sides,
        "endedBy": sides,
        "treatment": .words(Set(Treatment.allCases.map(\.rawValue))),
        "listenerKind": .words(Set(ListenerKind.allCases.map(\.rawValue))),
        "cause": .words(Set(HandshakeFailure.Cause.allCases.map(\.rawValue))),
        "kind": .words(
            Set(Outcome.Kind.allCases.map(\.rawValue)).union(["closeNotify", "closed", "reset", "alert"])
        ),
    ]

    /// The members of the record that hold numbers, booleans, lists and objects.
    private static let others: Set<String> = [
        "flow", "id", "opened", "closed", "dials", "started", "duration", "failure", "clientHello",
        "versions",
        "cipherSuites", "extensions", "groups", "keyShares", "offeredGroups", "offeredShares",
        "signatureSchemes", "clientHandshake", "serverHandshake", "isResumed",
        "presentedChain", "validatedChain", "requestedClientCertificate", "clientEnd", "bytesFromClient",
        "bytesFromServer", "exchanges", "outcome", "serverCertificates", "presented",
        "validated",
        "isHint", "alert", "code", "isFatal", "bytesAfterHandshake", "applicationProtocols", "inbound",
        "isTLS",
        "version", "connection", "stream", "elapsed", "sentData", "microseconds", "rawValue",
    ]

    /// Whether the JSON of a flow has only members that are known, with values that a list or a token explains.
    func explainsFlow(_ json: ArraySlice<UInt8>) -> Bool {
        guard let value = try? JSONValue(parsing: Array(json)) else { return false }
        var own: String?
        if case .object(let row) = value, case .object(let flow)? = row["flow"],
            case .string(let text)? = flow["authority"]
        {
            own = (try? Authority(text, defaultPort: 1))?.host.description
        }
        return explains(value, as: "flow", own)
    }

    private func explains(_ value: JSONValue, as name: String, _ own: String?) -> Bool {
        switch value {
        case .null, .boolean: return Self.others.contains(name) || Self.texts[name] != nil
        case .integer: return Self.others.contains(name)
        case .number: return false
        case .array(let elements):
            return Self.others.contains(name) && elements.allSatisfy { explains($0, as: name, own) }
        case .object(let members):
            return Self.others.contains(name) && members.allSatisfy { explains($0.value, as: $0.key, own) }
        case .string(let text):
            let bytes = Array(text.utf8)[...]
            if bytes.isEmpty || TokenForm.isText(bytes) { return Self.texts[name] != nil }
            switch Self.texts[name] {
            case nil, .token: return false
            case .peer: return text == "unknown" || TokenForm.isAddress(bytes)
            case .authority: return explainsHost(of: text, isRecord: true)
            case .host: return explainsHost(of: text, isRecord: text == own)
            case .tls: return RegisteredValues.isOfTLS(text)
            case .alpn: return RegisteredValues.applicationProtocols.contains(text)
            case .ja4: return RegisteredValues.isJA4(text)
            case .words(let words): return words.contains(text)
            }
        }
    }

    /// Whether the JSON of rules has only tokens and the names of kinds of rules.
    func explainsRules(_ json: ArraySlice<UInt8>) -> Bool {
        guard case .array(let hits)? = try? JSONValue(parsing: Array(json)) else { return false }
        return hits.allSatisfy { hit in
            guard case .object(let members) = hit else { return false }
            return members.allSatisfy { name, value in
                guard case .string(let text) = value else { return false }
                if name == "kind", RegisteredValues.ruleKinds.contains(text) { return true }
                return ["rule", "effect", "kind"].contains(name)
                    && (text.isEmpty || TokenForm.isText(Array(text.utf8)[...]))
            }
        }
    }
}
