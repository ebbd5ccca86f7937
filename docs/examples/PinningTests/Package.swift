// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PinningTests",
    dependencies: [
        // In your own package: .package(url: "…/pinhole.git", branch: "main").
        .package(name: "pinhole", path: "../../..")
    ],
    targets: [
        .testTarget(
            name: "PinningTests",
            dependencies: [.product(name: "PinholeLab", package: "pinhole")],
            resources: [.copy("Policies")]
        )
    ]
)
