"""The embedded sample: a small English with gold trees and minimal pairs."""
