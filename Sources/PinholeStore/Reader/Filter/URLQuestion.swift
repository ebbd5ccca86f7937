import Glibc

/// Searches for a text in URLs, from their parts and without joining these.
///
/// The result for a scheme and an authority is computed once, and remembered for most of them. No reference is counted
/// during a search, because that would cost more than the rest.
final class URLQuestion {
    /// A scheme and an authority, and what they decide about the text.
    private struct Origin {
        let scheme: Int64
        let authority: UnsafeMutableRawBufferPointer
        /// Whether the text is found in the origin alone.
        let isFound: Bool
        /// The lengths of the beginnings of the text with which the origin ends, so that the path continues with the
        /// rest.
        let borders: UnsafeMutableBufferPointer<Int>

        @inline(__always)
        func isOf(_ scheme: Int64, _ authority: UnsafeRawBufferPointer) -> Bool {
            guard scheme == self.scheme, authority.count == self.authority.count else { return false }
            guard let own = self.authority.baseAddress, let other = authority.baseAddress else { return true }
            return memcmp(own, other, authority.count) == 0
        }

        func free() {
            authority.deallocate()
            borders.deallocate()
        }
    }

    private let position: TextPosition
    private let text: SearchText
    private let origins: UnsafeMutableBufferPointer<Origin?>
    /// The origin of the previous URL, because equal origins often follow one another.
    private var last: Origin?

    /// The number of remembered origins, a power of two; an origin replaces another one in the same slot.
    private static let remembered = 1024

    init(_ position: TextPosition, _ text: [UInt8]) {
        self.position = position
        self.text = SearchText(text)
        origins = .allocate(capacity: Self.remembered)
        origins.initialize(repeating: nil)
    }

    deinit {
        for origin in origins { origin?.free() }
        origins.deallocate()
    }

    /// Whether the text is in the URL.
    ///
    /// - Parameters:
    ///   - scheme: 1 for https, 0 for http.
    ///   - authority: The host, and the port if it is not the default of the scheme.
    ///   - path: The path with the query; `*` means none.
    /// - Returns: Whether the text is in the URL, in the required position.
    func holds(_ scheme: Int64, _ authority: UnsafeRawBufferPointer, _ path: UnsafeRawBufferPointer) -> Bool {
        let origin = origin(scheme, authority)
        let path = path.count == 1 && path.first == 0x2a ? UnsafeRawBufferPointer(start: nil, count: 0) : path
        switch position {
        case .whole: return goesOn(origin, path, toItsEnd: true)
        case .beginning: return origin.isFound || goesOn(origin, path, toItsEnd: false)
        case .anywhere: return origin.isFound || text.isIn(path) || goesOn(origin, path, toItsEnd: false)
        case .end:
            let length = text.bytes.count
            return text.stands(0..<length, in: path, at: path.count - length)
                || goesOn(origin, path, toItsEnd: true)
        }
    }

    /// Whether the text begins at the end of the origin, and the path continues with the rest of the text.
    private func goesOn(_ origin: Origin, _ path: UnsafeRawBufferPointer, toItsEnd: Bool) -> Bool {
        for border in origin.borders {
            let rest = border..<text.bytes.count
            guard !toItsEnd || path.count == rest.count else { continue }
            if text.stands(rest, in: path, at: 0) { return true }
        }
        return false
    }

    @inline(__always)
    private func origin(_ scheme: Int64, _ authority: UnsafeRawBufferPointer) -> Origin {
        if let last, last.isOf(scheme, authority) { return last }
        let origin = otherOrigin(scheme, authority)
        last = origin
        return origin
    }

    private func otherOrigin(_ scheme: Int64, _ authority: UnsafeRawBufferPointer) -> Origin {
        let place = Self.place(scheme, authority)
        if let known = origins[place] {
            if known.isOf(scheme, authority) { return known }
            known.free()
        }
        let new = newOrigin(scheme, authority)
        origins[place] = new
        return new
    }

    /// Computes the result for an origin.
    private func newOrigin(_ scheme: Int64, _ authority: UnsafeRawBufferPointer) -> Origin {
        let length = text.bytes.count
        let (isFound, borders) = (Array((scheme == 1 ? "https://" : "http://").utf8) + authority)
            .withUnsafeBytes {
                origin in
                switch position {
                case .whole, .beginning:
                    let goesOn = origin.count <= length && text.stands(0..<origin.count, in: origin, at: 0)
                    return (text.stands(0..<length, in: origin, at: 0), goesOn ? [origin.count] : [])
                case .anywhere, .end:
                    let counts = 1..<(min(length, origin.count) + 1)
                    return (
                        text.isIn(origin),
                        counts.filter { text.stands(0..<$0, in: origin, at: origin.count - $0) }
                    )
                }
            }
        let ownAuthority = UnsafeMutableRawBufferPointer.allocate(byteCount: authority.count, alignment: 1)
        ownAuthority.copyMemory(from: authority)
        let ownBorders = UnsafeMutableBufferPointer<Int>.allocate(capacity: borders.count)
        _ = ownBorders.initialize(from: borders)
        return Origin(scheme: scheme, authority: ownAuthority, isFound: isFound, borders: ownBorders)
    }

    /// Returns the slot of an origin; a few of its bytes are enough to keep most origins apart.
    private static func place(_ scheme: Int64, _ authority: UnsafeRawBufferPointer) -> Int {
        var hash = UInt64(truncatingIfNeeded: scheme) &+ UInt64(authority.count)
        func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x9e37_79b9_7f4a_7c15 }
        if authority.count >= 8 {
            mix(authority.loadUnaligned(as: UInt64.self))
            mix(authority.loadUnaligned(fromByteOffset: authority.count / 2 - 4, as: UInt64.self))
            mix(authority.loadUnaligned(fromByteOffset: authority.count - 8, as: UInt64.self))
        } else {
            for byte in authority { mix(UInt64(byte)) }
        }
        return Int(hash >> 32) & (remembered - 1)
    }
}
