import Glibc
package import PinholeModel

/// The list of public suffixes (publicsuffix.org) of libpsl, which is opened when it is needed.
package enum PublicSuffixList {
    private typealias Load = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias IsSuffix = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> CInt
    private typealias FileName = @convention(c) () -> UnsafePointer<CChar>?
    private typealias BuiltinTime = @convention(c) () -> time_t

    /// The library with its newest list.
    private struct Library: Sendable {
        /// The address of the list, which is never freed, and which libpsl only reads.
        let list: UInt
        let isSuffix: IsSuffix
        let made: Timestamp?
    }

    /// `nil` if libpsl is not installed.
    private static let library: Library? = {
        guard let handle = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL),
            let load = dlsym(handle, "psl_latest"),
            let isSuffix = dlsym(handle, "psl_is_public_suffix"),
            let list = unsafeBitCast(load, to: Load.self)(nil)
        else { return nil }
        return Library(
            list: UInt(bitPattern: list),
            isSuffix: unsafeBitCast(isSuffix, to: IsSuffix.self),
            made: made(handle)
        )
    }()

    /// The newer one of the list in the library and the list in the system's file, as `psl_latest` chooses.
    private static func made(_ handle: UnsafeMutableRawPointer) -> Timestamp? {
        var times: [time_t] = []
        if let time = dlsym(handle, "psl_builtin_file_time") {
            times.append(unsafeBitCast(time, to: BuiltinTime.self)())
        }
        var status = stat()
        if let name = dlsym(handle, "psl_dist_filename"),
            let path = unsafeBitCast(name, to: FileName.self)(), stat(path, &status) == 0
        {
            times.append(status.st_mtim.tv_sec)
        }
        return times.max().flatMap { $0 > 0 ? Timestamp(seconds: Int64($0)) : nil }
    }

    /// Whether the list is there.
    package static var isThere: Bool { library != nil }

    /// The time at which the list was made; `nil` if it is unknown.
    package static var made: Timestamp? { library?.made }

    /// Whether a domain is a public suffix; `nil` if libpsl is not installed.
    ///
    /// - Parameter domain: The domain in ASCII and lower case.
    /// - Returns: The answer of the list.
    package static func contains(_ domain: String) -> Bool? {
        library.map { $0.isSuffix(OpaquePointer(bitPattern: $0.list), domain) != 0 }
    }
}
