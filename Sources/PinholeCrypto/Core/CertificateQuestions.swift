import COpenSSL
import PinholeModel

// Every question to OpenSSL about a certificate, a name, an extension or a public key stands in this file, beside the
// condition under which its documentation allows it. Every pointer that OpenSSL returns is an optional here, because
// OpenSSL returns NULL for parts that it cannot read. RepositoryTests checks that no other file calls these functions.

/// The questions about a certificate.
///
/// An ``X509Handle`` exists only for a certificate that was parsed as a whole, or that is signed, so all of them are
/// allowed. A pointer in an answer belongs to the certificate, which has to outlive it.
extension X509Handle {
    /// The certificates of an OpenSSL stack; none if there is no stack.
    static func list(in stack: OpaquePointer?) -> [X509Handle] {
        (0..<pinhole_sk_X509_num(stack)).compactMap { index in
            pinhole_sk_X509_value(stack, index).map { X509Handle(borrowing: $0) }
        }
    }

    // MARK: Fields

    /// The number that the issuer gave the certificate; `nil` if OpenSSL has none.
    var serialNumber: UnsafePointer<ASN1_INTEGER>? { X509_get0_serialNumber(pointer) }

    /// The start of the validity; `nil` if the field is malformed.
    var notBefore: Timestamp? { Timestamp(X509_get0_notBefore(pointer)) }

    /// The end of the validity; `nil` if the field is malformed.
    var notAfter: Timestamp? { Timestamp(X509_get0_notAfter(pointer)) }

    /// The name of the subject (`X509_NAME`).
    var subjectName: OpaquePointer? { X509_get_subject_name(pointer) }

    /// The name of the issuer (`X509_NAME`).
    var issuerName: OpaquePointer? { X509_get_issuer_name(pointer) }

    /// The hash of the subject by which OpenSSL finds certificates in directories.
    var subjectHash: UInt { X509_subject_name_hash(pointer) }

    /// The hash of the subject that OpenSSL used before version 1.0, and Android still uses.
    var oldSubjectHash: UInt { X509_subject_name_hash_old(pointer) }

    /// The hash of the issuer's name, comparable with ``subjectHash``.
    var issuerHash: UInt { X509_issuer_name_hash(pointer) }

    /// The name of the signature algorithm, `undefined` if OpenSSL does not know it.
    var signatureAlgorithm: String? {
        OBJ_nid2ln(X509_get_signature_nid(pointer)).map { String(cString: $0) }
    }

    /// The name of the digest of the signature; `nil` for an algorithm without one, such as Ed25519.
    ///
    /// RSASSA-PSS names it in its parameters. Condition: OpenSSL knows the algorithm and can read its parameters.
    var signatureDigest: String? {
        OpenSSLQueue.quietly {
            var digest: Int32 = 0
            guard X509_get_signature_info(pointer, &digest, nil, nil, nil) == 1, digest != NID_undef
            else { return nil }
            return OBJ_nid2sn(digest).map { String(cString: $0) }
        }
    }

    /// The whole certificate in OpenSSL's text form; `nil` if OpenSSL cannot print it.
    var text: String? {
        OpenSSLQueue.quietly { MemoryBIO.text { X509_print_ex($0, pointer, pinhole_XN_FLAG_READABLE, 0) } }
    }

    // MARK: The key

    /// The key; `nil` if OpenSSL does not know its algorithm or cannot decode it.
    ///
    /// A failure leaves its reasons in the error queue.
    var publicKey: OpaquePointer? { X509_get0_pubkey(pointer) }

    /// The SubjectPublicKeyInfo that OpenSSL encodes from the decoded key; `nil` if the key cannot be decoded.
    ///
    /// It differs from ``spki`` if another encoder left out the NULL parameters of RSA.
    var encodedKey: [UInt8]? {
        OpenSSLQueue.quietly { publicKey.flatMap { key in encoded { i2d_PUBKEY(key, $0) } } }
    }

    /// The SubjectPublicKeyInfo with the bytes that stand in the certificate, whether or not OpenSSL can decode the key.
    var spki: [UInt8]? {
        OpenSSLQueue.quietly {
            X509_get_X509_PUBKEY(pointer).flatMap { key in encoded { i2d_X509_PUBKEY(key, $0) } }
        }
    }

    /// The BIT STRING of the SubjectPublicKeyInfo.
    var keyBitString: UnsafePointer<ASN1_BIT_STRING>? {
        let bits: UnsafeMutablePointer<ASN1_BIT_STRING>? = X509_get0_pubkey_bitstr(pointer)
        return UnsafePointer(bits)
    }

    /// Whether `key` has the public half of the certificate's key.
    ///
    /// A difference leaves its reasons in the error queue.
    func hasKey(of key: PKeyHandle) -> Bool { X509_check_private_key(pointer, key.pointer) == 1 }

    // MARK: Extensions

    /// Whether an extension is malformed or two of them contradict each other (`EXFLAG_INVALID`).
    ///
    /// OpenSSL then answers ``isAuthority``, ``pathLength``, the key identifiers and ``mayBeIssued(by:)`` with no or
    /// `nil`. The flag also stands for a lack of memory.
    var hasInvalidExtension: Bool {
        OpenSSLQueue.quietly { X509_get_extension_flags(pointer) & UInt32(EXFLAG_INVALID) != 0 }
    }

    /// Whether basicConstraints has CA:TRUE, and keyUsage, if present, has keyCertSign.
    ///
    /// OpenSSL has other values than 1 for certificates that only older rules take for authorities.
    var isAuthority: Bool { OpenSSLQueue.quietly { X509_check_ca(pointer) == 1 } }

    /// The pathLenConstraint; `nil` if there is none.
    var pathLength: Int? {
        let length = OpenSSLQueue.quietly { X509_get_pathlen(pointer) }
        return length < 0 ? nil : Int(length)
    }

    /// The subjectKeyIdentifier; `nil` if there is none.
    var subjectKeyIdentifier: [UInt8]? {
        OpenSSLQueue.quietly { bytes(of: X509_get0_subject_key_id(pointer)) }
    }

    /// The keyIdentifier of the authorityKeyIdentifier; `nil` if there is none.
    var authorityKeyIdentifier: [UInt8]? {
        OpenSSLQueue.quietly { bytes(of: X509_get0_authority_key_id(pointer)) }
    }

    /// The extensions in their order, malformed ones included.
    var extensions: [ExtensionQuestions] {
        (0..<max(0, X509_get_ext_count(pointer))).compactMap { place in
            ExtensionQuestions(X509_get_ext(pointer, place), of: self)
        }
    }

    /// Returns the first extension of this kind; `nil` if there is none.
    func firstExtension(_ kind: Int32) -> ExtensionQuestions? {
        let place = X509_get_ext_by_NID(pointer, kind, -1)
        return place < 0 ? nil : ExtensionQuestions(X509_get_ext(pointer, place), of: self)
    }

    /// Calls `read` with the decoded value of an extension, which `read` has to free.
    ///
    /// The result is `nil` without a call if there is no such extension, if there are several, or if it is malformed.
    func decoded<Value>(_ kind: Int32, _ read: (UnsafeMutableRawPointer) -> Value) -> Value? {
        OpenSSLQueue.quietly { X509_get_ext_d2i(pointer, kind, nil, nil).map(read) }
    }

    // MARK: Comparisons

    /// Whether the subjectAltName names `host`; the subject does not count.
    ///
    /// A wildcard stands for one whole label. OpenSSL answers with a negative number if the name is malformed.
    func names(_ host: Host) -> Bool {
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return OpenSSLQueue.quietly {
            switch host {
            case .name(let name): X509_check_host(pointer, name, name.utf8.count, flags, nil) == 1
            case .address(let address):
                X509_check_ip(pointer, address.bytes, address.bytes.count, flags) == 1
            }
        }
    }

    /// Whether issuer and subject are the same and the certificate's own key made the signature.
    ///
    /// OpenSSL answers -1 if it cannot decode the key.
    var isSelfSigned: Bool { OpenSSLQueue.quietly { X509_self_signed(pointer, 1) == 1 } }

    /// Whether the names, key identifiers and usage of `issuer` fit; the signature is not checked.
    func mayBeIssued(by issuer: X509Handle) -> Bool {
        OpenSSLQueue.quietly { X509_check_issued(issuer.pointer, pointer) == X509_V_OK }
    }

    /// Whether the signature verifies with the key of `issuer`; `false` if OpenSSL cannot decode that key.
    func isSigned(by issuer: X509Handle) -> Bool {
        OpenSSLQueue.quietly {
            guard let key = issuer.publicKey else { return false }
            return X509_verify(pointer, key) == 1
        }
    }

    /// Whether the signature verifies with `key`.
    func isSigned(by key: PKeyHandle) -> Bool {
        OpenSSLQueue.quietly { X509_verify(pointer, key.pointer) == 1 }
    }
}

/// The parts of a certificate that is being made, which are written in place.
///
/// Condition: before the signature, which covers the encoding of these parts. The certificate has to outlive the value.
struct CertificateDraft {
    let pointer: OpaquePointer

    /// The place of the serial number.
    var serialNumber: UnsafeMutablePointer<ASN1_INTEGER>? { X509_get_serialNumber(pointer) }

    /// The place of the start of the validity.
    var notBefore: UnsafeMutablePointer<ASN1_TIME>? { X509_getm_notBefore(pointer) }

    /// The place of the end of the validity.
    var notAfter: UnsafeMutablePointer<ASN1_TIME>? { X509_getm_notAfter(pointer) }

    /// The name of the subject, to which entries are added.
    var subjectName: OpaquePointer? { X509_get_subject_name(pointer) }
}

/// The questions about a distinguished name (`X509_NAME`), each of which is answered in every state.
enum OpenSSLName {
    /// Returns the name in RFC 2253 form, with characters in UTF-8; an empty text if there is no name.
    static func text(of name: OpaquePointer?) -> String {
        guard let name else { return "" }
        return MemoryBIO.text { bio in
            X509_NAME_print_ex(bio, name, 0, pinhole_XN_FLAG_READABLE)
            return 1
        } ?? ""
    }

    /// Whether both names exist and are the same (RFC 5280 §7.1).
    static func areEqual(_ one: OpaquePointer?, _ other: OpaquePointer?) -> Bool {
        guard let one, let other else { return false }
        return X509_NAME_cmp(one, other) == 0
    }
}

/// The questions about an extension of a certificate or of an OCSP response.
struct ExtensionQuestions {
    private let pointer: OpaquePointer
    /// The certificate or response that owns the extension.
    private let owner: AnyObject

    /// Wraps an extension; `nil` if there is none at that place.
    init?(_ pointer: OpaquePointer?, of owner: AnyObject) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.owner = owner
    }

    /// The kind as OpenSSL's number; `NID_undef` if OpenSSL does not know it.
    var kind: Int32 { object.map { OBJ_obj2nid($0) } ?? NID_undef }

    /// The identifier in dotted form.
    var identifier: String {
        var numbers = [CChar](repeating: 0, count: 128)
        guard let object, OBJ_obj2txt(&numbers, Int32(numbers.count), object, 1) > 0 else { return "" }
        return String(decoding: numbers.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the extension is critical.
    var isCritical: Bool { X509_EXTENSION_get_critical(pointer) == 1 }

    /// The content, not decoded.
    var content: [UInt8]? { bytes(of: X509_EXTENSION_get_data(pointer)) }

    /// The content as text; hexadecimal digits if OpenSSL cannot decode it.
    var text: String? {
        OpenSSLQueue.quietly {
            MemoryBIO.text { X509V3_EXT_print($0, pointer, UInt(X509V3_EXT_DUMP_UNKNOWN), 0) }
        }
    }

    private var object: OpaquePointer? { X509_EXTENSION_get_object(pointer) }
}

extension PKeyHandle {
    /// The bytes in the BIT STRING of the SubjectPublicKeyInfo; `nil` if OpenSSL cannot encode this kind of key.
    var publicBits: [UInt8]? {
        OpenSSLQueue.quietly {
            var key: OpaquePointer?
            guard X509_PUBKEY_set(&key, pointer) == 1 else { return nil }
            defer { X509_PUBKEY_free(key) }
            var data: UnsafePointer<UInt8>?
            var count: Int32 = 0
            guard X509_PUBKEY_get0_param(nil, &data, &count, nil, key) == 1, let data else { return nil }
            return Array(UnsafeBufferPointer(start: data, count: Int(max(0, count))))
        }
    }
}

/// Returns the bytes of an ASN.1 string; `nil` if there is none.
func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
    guard let string, let data = ASN1_STRING_get0_data(string) else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: Int(max(0, ASN1_STRING_length(string)))))
}
