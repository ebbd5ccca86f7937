/// The payload of a close frame (RFC 6455 §5.5.1).
package enum WebSocketClose {
    /// Whether a close frame may carry `code`.
    ///
    /// RFC 6455 §7.4 and the registry of §11.7: 1004 is reserved; 1005, 1006 and 1015 only describe an end;
    /// 1016 to 2999 are for later specifications; 3000 to 4999 are for libraries and applications.
    package static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The fault of an unmasked payload; `nil` if it has none.
    static func fault(in payload: [UInt8]) -> (code: WebSocketFailure.Code, text: String)? {
        guard payload.count != 1 else {
            return (.badClosePayload, "a close with half a code (RFC 6455 §5.5.1)")
        }
        guard payload.count >= 2 else { return nil }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard mayBeSent(code) else {
            return (.badCloseCode, "the close code \(code), which must not be sent (RFC 6455 §7.4)")
        }
        var text = UTF8Check()
        text.receive(payload.span.extracting(droppingFirst: 2))
        guard text.isComplete else {
            return (.badCloseReason, "a close whose reason is not UTF-8 (RFC 6455 §5.5.1)")
        }
        return nil
    }
}
