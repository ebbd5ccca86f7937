import COpenSSL

extension Certificate {
    /// An extension in readable form (RFC 5280 §4.2).
    package struct Extension: Sendable, Equatable {
        /// The identifier in dotted form: `2.5.29.17`.
        package let identifier: String
        /// The name that OpenSSL has for the extension; the identifier if it has none.
        package let name: String
        /// Whether a verifier that does not understand the extension must refuse the certificate.
        package let isCritical: Bool
        /// The content as text; hexadecimal digits if OpenSSL cannot read it.
        package let text: String
    }

    /// The extensions, in their order.
    package var extensions: [Extension] {
        OpenSSLQueue.quietly {
            (0..<max(0, X509_get_ext_count(handle.pointer))).compactMap { index in
                X509_get_ext(handle.pointer, index).map(Self.describe)
            }
        }
    }

    private static func describe(_ pointer: OpaquePointer) -> Extension {
        let object = X509_EXTENSION_get_object(pointer)
        var numbers = [CChar](repeating: 0, count: 128)
        OBJ_obj2txt(&numbers, Int32(numbers.count), object, 1)
        let identifier = String(
            decoding: numbers.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        let known = OBJ_obj2nid(object)
        let name = known == NID_undef ? nil : OBJ_nid2ln(known).map { String(cString: $0) }
        let text = MemoryBIO.text { X509V3_EXT_print($0, pointer, UInt(X509V3_EXT_DUMP_UNKNOWN), 0) }
        return Extension(
            identifier: identifier,
            name: name ?? identifier,
            isCritical: X509_EXTENSION_get_critical(pointer) == 1,
            text: text ?? ""
        )
    }
}
