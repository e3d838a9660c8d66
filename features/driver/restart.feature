Feature: A driver restarts and is updated

  @case:damaged-state-file
  @DRIVER/restart/corrupt-state
  Scenario: A driver with a damaged state file keeps running when the kubelet calls it
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the driver's state file is cut in half
    And the kubelet unprepares ResourceClaim "a"
    Then the driver is running
    When the kubelet prepares ResourceClaim "b"
    Then the driver is running

  @case:state-file-without-claims
  @DRIVER/restart/corrupt-state
  Scenario Outline: A driver whose state file was <damaged> keeps running when called
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the driver's state file is <damaged>
    And the kubelet unprepares ResourceClaim "a"
    Then the driver is running
    When the kubelet prepares ResourceClaim "b"
    Then the driver is running

    @key:state
    Examples:
      | state          | damaged                          |
      | empty          | emptied                          |
      | another-format | replaced by an empty JSON object |

  @case:two-instances
  @DRIVER/upgrade/unique-sockets @DRIVER/upgrade/path-length
  Scenario: A second instance of a driver registers with a socket of its own
    Given a driver with 1 device
    When a second instance of the driver is started
    Then 2 registration sockets exist

  @case:either-instance-prepares
  @DRIVER/upgrade/either-serves
  Scenario: Both instances of a driver return the same response for a ResourceClaim
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And a second instance of the driver is started
    And the kubelet prepares ResourceClaim "c"
    Then each answer for ResourceClaim "c" is the same as before
    When the kubelet prepares ResourceClaim "c" through the older instance
    Then each answer for ResourceClaim "c" is the same as before

  @case:either-instance-unprepares
  @DRIVER/upgrade/either-serves
  Scenario: Each instance of a driver unprepares a ResourceClaim that the other instance prepared
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When a second instance of the driver is started
    And the kubelet prepares ResourceClaim "a"
    Then ResourceClaim "a" is prepared with device 1
    When the kubelet unprepares ResourceClaim "a" through the older instance
    Then ResourceClaim "a" is unprepared
    And no CDI device of ResourceClaim "a" is left
    When the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 1
    When the kubelet unprepares ResourceClaim "b"
    And the kubelet prepares ResourceClaim "a" through the older instance
    Then ResourceClaim "a" is prepared with device 1
    When the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    And no CDI device of ResourceClaim "a" is left

  @case:claims-of-both-instances
  @DRIVER/prepare/in-use
  Scenario: The newer instance of a driver does not prepare devices that either instance prepared
    Given a driver with 2 devices that offers exclusive devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "d" is allocated device 2 of the driver
    When a second instance of the driver is started
    And the kubelet prepares ResourceClaim "a"
    And the kubelet prepares ResourceClaim "b" through the older instance
    And the older instance of the driver is terminated
    And the kubelet prepares ResourceClaims "c, d"
    Then preparing ResourceClaim "c" fails
    And preparing ResourceClaim "d" fails

  @case:older-instance-ends
  @DRIVER/upgrade/old-goes
  Scenario: The socket of the newer instance of a driver remains when the older one is terminated
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When a second instance of the driver is started
    And the older instance of the driver is terminated
    Then 1 registration socket exists
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1

  @case:device-of-the-other-instance
  @DRIVER/prepare/in-use
  Scenario: The older instance of a driver does not prepare a device that the newer instance prepared
    Given a driver with 1 device that offers exclusive devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When a second instance of the driver is started
    And the kubelet prepares ResourceClaim "a"
    Then ResourceClaim "a" is prepared with device 1
    When the kubelet prepares ResourceClaim "b" through the older instance
    Then preparing ResourceClaim "b" fails
