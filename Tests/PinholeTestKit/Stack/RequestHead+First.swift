package import PinholeModel
package import PinholeWire

extension RequestHead {
    /// Reads the first head of a connection of HTTP/2.
    package convenience init(
        stream fields: HeaderFields,
        endsStream: Bool
    ) throws(StreamHeadFailure) {
        var last = LastStreamServer()
        try self.init(stream: fields, endsStream: endsStream, after: &last)
    }
}
