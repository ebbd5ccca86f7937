package import PinholeModel
package import PinholeWire

extension ProtobufSchema {
    /// Returns the type of a body that is one message, by the method that the path denotes or by the Content-Type.
    ///
    /// Twirp and Connect name the method in the path. Others write the type into a parameter of the Content-Type:
    /// `application/x-protobuf; messageType="shop.Tea"`, `application/vnd.google.protobuf; proto=shop.Tea`.
    ///
    /// - Returns: The full name; `nil` if nothing denotes a message of the schema.
    package func messageName(of record: ExchangeRecord, _ owner: BodyOwner) -> String? {
        let fields = (owner == .request ? record.request : record.response)?.fields
        for parameter in (fields?.first("content-type") ?? "").split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { !$0.isWhitespace }.lowercased()
            let value = parts[1].filter { !$0.isWhitespace && $0 != "\"" }
            if ["messagetype", "proto"].contains(name), hasMessage(value) { return value }
        }
        guard let method = method(path: record.path) else { return nil }
        let name = owner == .request ? method.request : method.response
        return hasMessage(name) ? name : nil
    }
}
