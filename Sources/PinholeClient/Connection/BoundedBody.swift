/// The bytes of a body that have been read, within a bound.
struct BoundedBody {
    /// The bytes, never more than the bound.
    private(set) var bytes: [UInt8] = []
    /// Whether the body has more bytes than the bound, and the bound permits to leave them out.
    private(set) var isCut = false
    private let bound: ClientSettings.BodyBound

    init(_ bound: ClientSettings.BodyBound) { self.bound = bound }

    /// Takes the next bytes of the body.
    ///
    /// - Throws: ``ClientFailure`` if the body is longer than the bound, and only a whole body is of use.
    mutating func take(_ more: some Collection<UInt8>) throws(ClientFailure) {
        switch bound {
        case .whole(let limit):
            guard more.count <= limit - bytes.count else { throw .bodyTooLong(limit) }
            bytes += more
        case .beginning(let limit):
            isCut = isCut || more.count > limit - bytes.count
            bytes += more.prefix(max(0, limit - bytes.count))
        }
    }
}
