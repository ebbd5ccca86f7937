import PinholeCrypto
package import PinholeFiles
import PinholeModel
package import PinholeTrust

/// The files that a document names, as far as its caller grants them; each is read once.
///
/// This is the only way in which a reader of a document gets at another file. Failures have the name as the document
/// writes it, and never a part of the file.
package final class NamedFiles {
    /// The largest file of certificates and other evidence; larger ones hold none.
    package static let evidenceBytes = FileAccess.evidenceBytes
    /// The most files that stand in the places of their names in one document; a file counts each time.
    static let mostInclusions = 256
    /// The most bytes of such files.
    static let inclusionBytes = 1 << 20
    /// The most files that include each other.
    private static let deepestInclusion = 8

    /// The reading of a file that stands in the place of its name.
    enum Inclusion<Value> {
        /// The file was read.
        case read(Value)
        /// There is no such file, or none that the document may name.
        case absent(FileRefusal)
        /// The file is of another kind, includes itself, or is beyond the limits of the document.
        case leftOut
    }

    /// The files of one document, and of the documents that it names.
    private final class Store {
        var certificates: [String: Result<[CertificateFacts], PolicyFailure>] = [:]
        /// The certificates by their digests, so that a certificate in several files has one object.
        var known: [[UInt8]: CertificateFacts] = [:]
        var digests: Set<[UInt8]> = []
        var hasRefused = false
        /// The files that are being included, from the outermost to the innermost.
        var including: Set<String> = []
        var inclusions = 0
        var bytesLeft = NamedFiles.inclusionBytes
    }

    private let access: FileAccess
    private let store: Store

    /// Creates a reader of files.
    package convenience init(_ access: FileAccess) { self.init(access, Store()) }

    private init(_ access: FileAccess, _ store: Store) {
        self.access = access
        self.store = store
    }

    /// Returns the files that another document names, whose relative names begin at its folder.
    func beside(_ name: String) -> NamedFiles { NamedFiles(access.beside(name), store) }

    /// Reads a file by a parser.
    ///
    /// - Parameters:
    ///   - name: The name as the document writes it.
    ///   - expected: The kind of content, for the failure.
    ///   - remedy: The command that tells more about the file, before its name; `nil` if there is none.
    ///   - limit: The most bytes that the file may have.
    ///   - parse: Reads the content; its error does not get out.
    /// - Returns: The result of `parse`.
    /// - Throws: ``PolicyFailure`` without a part of the file.
    package func parsed<Value>(
        _ name: String,
        as expected: StaticString,
        remedy: StaticString? = nil,
        limit: Int = PropertyList.bytes,
        _ parse: ([UInt8]) throws -> Value
    ) throws(PolicyFailure) -> Value {
        do throws(FileRefusal) {
            return try access.file(name, limit: limit).parsed(as: expected, remedy: remedy) { content in
                let value = try parse(content)
                self.store.digests.insert(Digest.sha256(content))
                return value
            }
        } catch {
            throw refused(error)
        }
    }

    /// Reads a file as ``parsed(_:as:remedy:limit:_:)`` does; returns `nil` if there is none.
    func parsedIfThere<Value>(
        _ name: String,
        as expected: StaticString,
        remedy: StaticString? = nil,
        _ parse: ([UInt8]) throws -> Value
    ) throws(PolicyFailure) -> Value? {
        guard (try? access.file(name, limit: PropertyList.bytes)) != nil else { return nil }
        return try parsed(name, as: expected, remedy: remedy, parse)
    }

    /// The number of files that were read by ``including(_:as:_:use:)``.
    var inclusions: Int { store.inclusions }

    /// Reads a file that stands in the place of its name, and the files that it includes itself.
    ///
    /// A file that includes itself, and files that include many others, would cost more than any document needs.
    ///
    /// - Parameters:
    ///   - name: The name as the document writes it.
    ///   - expected: The kind of content, for the failure.
    ///   - parse: Reads the content.
    ///   - use: Uses the result, and includes the files that it names.
    /// - Returns: The result of `use`, or the reason why the file was not read.
    func including<Value, Result>(
        _ name: String,
        as expected: StaticString,
        _ parse: ([UInt8]) throws -> Value,
        use: (Value) -> Result
    ) -> Inclusion<Result> {
        let place = access.place(of: name)
        guard store.including.count < Self.deepestInclusion, store.inclusions < Self.mostInclusions,
            store.bytesLeft > 0, !store.including.contains(place)
        else { return .leftOut }
        let value: Value
        do throws(FileRefusal) {
            value = try access.file(name, limit: store.bytesLeft).parsed(as: expected) { content in
                self.store.inclusions += 1
                self.store.bytesLeft -= content.count
                let value = try parse(content)
                self.store.digests.insert(Digest.sha256(content))
                return value
            }
        } catch {
            return error.isUnreached ? .absent(error) : .leftOut
        }
        store.including.insert(place)
        defer { store.including.remove(place) }
        return .read(use(value))
    }

    /// The files that a name with `*`, `?` or `[…]` stands for, in their order; `nil` if they are not known.
    func names(matching pattern: String) -> [String]? { access.names(matching: pattern) }

    /// Reads the certificates of a file, in PEM or DER.
    ///
    /// - Parameter name: The name as the document writes it.
    /// - Returns: At least one certificate.
    /// - Throws: ``PolicyFailure`` without a part of the file.
    package func certificates(_ name: String) throws(PolicyFailure) -> [CertificateFacts] {
        let place = access.place(of: name)
        if let found = store.certificates[place] { return try found.get() }
        let result: Result<[CertificateFacts], PolicyFailure>
        do throws(FileRefusal) {
            result = .success(try read(name))
        } catch {
            result = .failure(refused(error))
        }
        store.certificates[place] = result
        return try result.get()
    }

    private func read(_ name: String) throws(FileRefusal) -> [CertificateFacts] {
        try access.file(name, limit: Self.evidenceBytes).parsed(
            as: "certificates in PEM or DER",
            remedy: "pinhole pins show"
        ) { content in
            let found = try Certificate.parse(content).map { certificate in
                let digest = certificate.fingerprintSHA256
                if let facts = self.store.known[digest] { return facts }
                let facts = certificate.facts
                self.store.known[digest] = facts
                return facts
            }
            for certificate in found { self.store.digests.insert(certificate.sha256) }
            return found
        }
    }

    /// Reads the certificates of a raw resource of an Android app (`@raw/name`), or of another file.
    func resource(_ name: String) throws(PolicyFailure) -> [CertificateFacts] {
        guard let resource = RawResource(name) else { return try certificates(name) }
        for place in resource.candidates {
            do throws(FileRefusal) {
                _ = try access.file(place, limit: Self.evidenceBytes)
            } catch {
                guard error.isAbsence else { throw refused(error.naming(name)) }
                continue
            }
            return try certificates(place)
        }
        store.hasRefused = true
        throw resource.missing
    }

    /// Whether the document named a file that it did not get, or that is of another kind.
    var hasRefused: Bool { store.hasRefused }

    private func refused(_ refusal: FileRefusal) -> PolicyFailure {
        store.hasRefused = true
        return PolicyFailure("\(refusal)")
    }

    /// A SHA-256 in hexadecimal that is equal for documents with the same bytes that name files with the same content.
    ///
    /// If the document names no other file, this is the digest of the document, as `sha256sum` prints it. Else it is
    /// the digest of the digests of all files, first that of the document, then the others in ascending order.
    func digest(of document: [UInt8]) -> String {
        let own = Digest.sha256(document)
        guard !store.digests.isEmpty else { return Hexadecimal.encode(own) }
        let others = store.digests.sorted { $0.lexicographicallyPrecedes($1) }
        return Hexadecimal.encode(Digest.sha256(own + others.joined()))
    }
}
