import COpenSSL
import Glibc
import PinholeLock

/// Lends libssl the buffers of its records.
///
/// An idle connection gives its two buffers of 17 KiB back (`SSL_MODE_RELEASE_BUFFERS`), so a busy one asks for
/// each of them anew with each record. The C library's heap has no short way for pieces of that size: it splits
/// and merges its large free pieces each time. Here a few of them go round instead; everything else that
/// OpenSSL asks for comes from the C library as before.
package enum RecordBuffers {
    /// The sizes that libssl asks for, from the shortest read buffer to the longest write buffer.
    private static let sizes = 16 << 10...20 << 10
    /// Every buffer has room for the longest.
    private static let capacity = 20 << 10
    /// So many are kept: one for each side and direction of the tunnels that two loops have in hand.
    private static let kept = 16

    /// Memory that nobody uses.
    ///
    /// Sendable: whoever takes it from the list is the only one who knows the address.
    private struct Buffer: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
    }

    private static let spare = Lock<[Buffer]>([])

    /// Lets OpenSSL use them; to be called before anything else that uses OpenSSL.
    ///
    /// Where OpenSSL has allocated something already it refuses, and goes on with the C library alone.
    package static func install() {
        CRYPTO_set_mem_functions(
            { count, _, _ in RecordBuffers.allocate(count) },
            { pointer, count, _, _ in RecordBuffers.resize(pointer, count) },
            { pointer, _, _ in RecordBuffers.release(pointer) }
        )
    }

    static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        guard sizes.contains(count) else { return malloc(count) }
        return spare.withLock { $0.popLast() }?.address ?? malloc(capacity)
    }

    static func resize(_ pointer: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        realloc(pointer, count)
    }

    static func release(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        // The heap rounds up by less than 32 bytes.
        guard (capacity..<capacity + 32).contains(malloc_usable_size(pointer)) else { return free(pointer) }
        let buffer = Buffer(address: pointer)
        let isKept = spare.withLock { spare in
            guard spare.count < kept else { return false }
            spare.append(buffer)
            return true
        }
        if !isKept { free(pointer) }
    }
}
