import COpenSSL

extension Certificate {
    /// An extension, for people (RFC 5280 §4.2).
    package struct Extension: Sendable, Equatable {
        /// Its identifier in numbers: `2.5.29.17`.
        package let identifier: String
        /// Its name as OpenSSL knows it; the identifier where it does not.
        package let name: String
        /// Whether who does not understand it must refuse the certificate.
        package let isCritical: Bool
        /// What it says; hexadecimal digits where OpenSSL cannot read it.
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
