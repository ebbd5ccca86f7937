import Foundation

/// What the tests are built with.
package enum Sanitizer {
    /// Whether AddressSanitizer or ThreadSanitizer is part of the program.
    ///
    /// They keep freed memory, so that resident memory says nothing.
    package static let isPresent = ["__asan_init", "__tsan_init"].contains { (name: String) in
        dlsym(nil, name) != nil
    }
}
