Feature: Selectors for multi-allocatable and exclusive devices
  Selectors of DeviceClasses and of requests can use device.allowMultipleAllocations. Administrators and users thereby
  choose between multi-allocatable and exclusive devices.

  Rule: Selectors with allowMultipleAllocations

    @case:true-matches-shared-device
    @KEP-5075/selector/true-limits-to-shared
    Scenario: The selector allowMultipleAllocations == true matches the multi-allocatable device
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | no                       |
        | eth2   | yes                      |
        | eth3   |                          |
      And a DeviceClass "share" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | share           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth2   | yes     |

    @case:true-excludes-exclusive-device
    @KEP-5075/selector/true-limits-to-shared
    Scenario Outline: The selector allowMultipleAllocations == true does not match an exclusive device
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | <shared>                 |
      And a DeviceClass "share" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | share           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

    @case:false-matches-exclusive-devices
    @KEP-5075/selector/false-limits-to-dedicated @KEP-5075/selector/unset-evaluates-false
    Scenario: The selector allowMultipleAllocations == false matches exclusive devices
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
        | eth2   | no                       |
        | eth3   |                          |
      And a ResourceClaim "c" with the requests
        | request | count | selector                                 |
        | r0      | 2     | device.allowMultipleAllocations == false |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth2   | no      |
        | r0      | eth3   | no      |

    @case:false-excludes-shared-device
    @KEP-5075/selector/false-limits-to-dedicated
    Scenario: The selector allowMultipleAllocations == false does not match a multi-allocatable device
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
      And a ResourceClaim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == false |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:negation-matches-unset
    @KEP-5075/selector/unset-evaluates-false
    Scenario: The selector !allowMultipleAllocations matches a device that does not set the field
      Given the devices
        | device |
        | eth1   |
      And a ResourceClaim "c" with the requests
        | request | selector                         |
        | r0      | !device.allowMultipleAllocations |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | no      |

    @case:unset-is-false-without-error
    @KEP-5075/selector/unset-evaluates-false
    Scenario: A selector with allowMultipleAllocations is false, not an error, if the field is unset
      Given the devices
        | device |
        | eth1   |
      And a ResourceClaim "c" with the requests
        | request | selector                        |
        | r0      | device.allowMultipleAllocations |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

  Rule: Selectors of DeviceClasses and requests

    @case:class-and-request-contradict
    @KEP-5075/selector/in-class-and-request
    Scenario: A request gets no device if its selector contradicts the selector of its DeviceClass
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
        | eth2   | no                       |
      And a DeviceClass "share" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | selector                                 |
        | r0      | share           | device.allowMultipleAllocations == false |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:request-selector-without-class-selector
    @KEP-5075/selector/in-class-and-request
    Scenario: A request selects the multi-allocatable device if its DeviceClass has no selector
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | no                       |
        | eth2   | yes                      |
      And a ResourceClaim "c" with the requests
        | request | selector                                |
        | r0      | device.allowMultipleAllocations == true |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth2   | yes     |

    @case:no-selector-matches-both-kinds
    @KEP-5075/selector/no-selector-admits-both
    Scenario Outline: A request without a selector can get a multi-allocatable or an exclusive device
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | <shared>                 |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | <share> |

      Examples:
        | shared | flag  | share |
        | yes    | true  | yes   |
        | no     | false | no    |
        |        | unset | no    |

    @case:one-class-for-each-kind
    @KEP-5075/selector/class-separation
    Scenario Outline: A request gets the multi-allocatable or exclusive device that its DeviceClass selects
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
        | eth2   | no                       |
      And a DeviceClass "share" with the selector
        """
        device.allowMultipleAllocations == true
        """
      And a DeviceClass "whole" with the selector
        """
        device.allowMultipleAllocations == false
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | <class>         |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | shareID |
        | r0      | <device> | <share> |

      Examples:
        | class | device | share |
        | share | eth1   | yes   |
        | whole | eth2   | no    |

    @case:exclusive-class-gets-no-share
    @KEP-5075/selector/class-separation
    Scenario: A request for an exclusive device does not get a free multi-allocatable device
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
        | eth2   | no                       |
      And a DeviceClass "whole" with the selector
        """
        device.allowMultipleAllocations == false
        """
      And ResourceClaim "other" is already allocated
        | device |
        | eth2   |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | whole           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

  Rule: Selectors and the capacity of devices

    @case:selected-device-with-less-capacity
    @KEP-5075/selector/selectors-before-capacity
    Scenario: A request gets the device that its selector matches although another has more capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/lan |
        | eth1   | yes                      | 100                | string green                  |
        | eth2   | yes                      | 10                 | string blue                   |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth | selector                                           |
        | r0      | 5                  | device.attributes["dra.example.com"].lan == "blue" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth2   | 5                          | yes     |

    @case:unselected-device-of-any-capacity
    @KEP-5075/selector/selectors-before-capacity
    Scenario Outline: A device that the selector does not match is not allocated regardless of its capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/lan |
        | eth1   | yes                      | <value>            | string green                  |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth | selector                                           |
        | r0      | 5                  | device.attributes["dra.example.com"].lan == "blue" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

      Examples:
        | value |
        | 100   |
        | 1     |

    @case:selector-sees-total-capacity
    @KEP-5075/selector/capacity-in-cel-is-total
    Scenario: A selector sees the total capacity of a device, not the remaining capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 8                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth | selector                                                                   |
        | r0      | 1                  | device.capacity["dra.example.com"].bandwidth.compareTo(quantity("5")) >= 0 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 1 of "bandwidth"
