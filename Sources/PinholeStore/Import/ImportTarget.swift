/// The capture that an import writes to.
package enum ImportTarget: Sendable {
    /// A file that nothing records into; it is created if it does not exist.
    case file(String)
    /// A capture that is being recorded at the same time.
    case live(CaptureStore)

    /// The path of the capture.
    package var path: String {
        switch self {
        case .file(let path): path
        case .live(let store): store.path
        }
    }
}
