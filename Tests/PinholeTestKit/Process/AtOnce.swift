import PinholeLock

/// Does `work` for each number below `count`, on `width` threads of the tests, and returns when all of it is done.
///
/// Dispatch has few threads, and the proxies of other tests run there: a test that computed or waited on them would hold
/// those up.
///
/// - Parameters:
///   - count: The number of pieces of work.
///   - width: The number of pieces that are done at one time.
///   - work: A piece, with its number.
package func atOnce(_ count: Int, width: Int, _ work: @escaping @Sendable (Int) -> Void) async {
    let next = Lock(0)
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<min(width, count) {
            group.addTask {
                while true {
                    let number = next.withLock { next in
                        next += 1
                        return next - 1
                    }
                    guard number < count else { return }
                    work(number)
                }
            }
        }
    }
}
