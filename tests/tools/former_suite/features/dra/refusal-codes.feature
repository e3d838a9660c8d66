@profile:since-1.34
Feature: Scheduler status codes in releases
  The DRA page says that a pod stays Pending and names no codes. Releases distinguish a failure that other pods
  can resolve by leaving from one that they cannot.

  @case:no-matching-device
  @DRA/workflow/unmet-request-waits
  Scenario: A node without a matching device is UnschedulableAndUnresolvable
    Given a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is refused on node "node-1" as UnschedulableAndUnresolvable
