Feature: Device configuration in the allocation
  The configuration of a ResourceClaim and of its DeviceClasses is passed to the driver with the allocation. It
  does not influence which devices are allocated.

  Background:
    Given a DeviceClass "gpu" with the selector
      """
      device.attributes["dra.example.com"].kind == "gpu"
      """
    And a DeviceClass "nic" with the selector
      """
      device.attributes["dra.example.com"].kind == "nic"
      """
    And the devices
      | device | attribute kind |
      | gpu-0  | string gpu     |
      | gpu-1  | string gpu     |
      | nic-0  | string nic     |
    And a ResourceClaim "c" with the requests
      | request | deviceClassName |
      | compute | gpu             |
      | network | nic             |

  @case:no-configuration
  @DRA/claim/configuration-applies-to-pod
  Scenario: The allocation has no config if the ResourceClaim and its DeviceClasses have none
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source | requests | profile |

  @case:claim-config-for-all-requests
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry of a ResourceClaim without request names applies to all requests
    Given ResourceClaim "c" is configured with profile "fast"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |

  @case:claim-config-for-one-request
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry of a ResourceClaim that names a request applies to that request
    Given ResourceClaim "c" is configured with profile "fast" for the requests "network"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClaim | network  | fast    |

  @case:claim-config-order
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config entries of a ResourceClaim keep their order in the allocation
    Given ResourceClaim "c" is configured with profile "slow"
    And ResourceClaim "c" is configured with profile "fast" for the requests "network"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | slow    |
      | FromClaim | network  | fast    |

  @case:class-config-for-its-request
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass applies to the request that uses the DeviceClass
    Given DeviceClass "gpu" is configured with profile "shared"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |

  @case:unused-class-config
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass that no request uses is not in the allocation
    Given a DeviceClass "fpga"
    And DeviceClass "fpga" is configured with profile "shared"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source | requests | profile |

  @case:class-and-claim-config
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of DeviceClasses and of the ResourceClaim is in the allocation
    Given ResourceClaim "c" is configured with profile "fast" for the requests "network"
    And DeviceClass "nic" is configured with profile "jumbo"
    And DeviceClass "gpu" is configured with profile "shared"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |
      | FromClass | network  | jumbo   |
      | FromClaim | network  | fast    |

  @case:class-config-for-two-requests
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass in the allocation names the requests that use the DeviceClass
    Given DeviceClass "gpu" is configured with profile "shared"
    And a ResourceClaim "d" with the requests
      | request | deviceClassName |
      | one     | gpu             |
      | network | nic             |
      | two     | gpu             |
    When allocation of ResourceClaim "d" is attempted
    Then ResourceClaim "d" has the configuration
      | source    | requests | profile |
      | FromClass | one, two | shared  |

  @case:claim-config-listed-once
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry for two of three requests is in the allocation only once
    Given a ResourceClaim "d" with the requests
      | request | deviceClassName |
      | one     | gpu             |
      | network | nic             |
      | two     | gpu             |
    And ResourceClaim "d" is configured with profile "fast" for the requests "one, two"
    When allocation of ResourceClaim "d" is attempted
    Then ResourceClaim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
    But until Kubernetes 1.36, because these releases list a configuration once for each of its requests: ResourceClaim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
      | FromClaim | one, two | fast    |

  @case:config-for-every-request-unnamed
  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: A config entry that names every request is listed once in 1.37
    Given ResourceClaim "c" is configured with profile "fast" for the requests "compute, network"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    But from Kubernetes 1.34 to 1.36, because these releases list a configuration once for each of its requests: ResourceClaim "c" has the configuration
      | source    | requests         | profile |
      | FromClaim | compute, network | fast    |
      | FromClaim | compute, network | fast    |

  @case:class-config-for-every-request
  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: Config of a DeviceClass that every request uses is listed once
    Given DeviceClass "gpu" is configured with profile "shared"
    And a ResourceClaim "d" with the requests
      | request | deviceClassName |
      | one     | gpu             |
      | two     | gpu             |
    When allocation of ResourceClaim "d" is attempted
    Then ResourceClaim "d" has the configuration
      | source    | requests | profile |
      | FromClass |          | shared  |

  @case:config-of-other-claim
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of one ResourceClaim is not in the allocation of another ResourceClaim
    Given a ResourceClaim "d" requesting 1 device of class "gpu"
    And ResourceClaim "c" is configured with profile "fast"
    When allocation of the ResourceClaims "c, d" together is attempted
    Then ResourceClaim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    And ResourceClaim "d" has the configuration
      | source | requests | profile |

  @case:config-does-not-select
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config does not influence which devices are allocated
    Given ResourceClaim "other" is already allocated
      | device |
      | gpu-0  |
    And DeviceClass "gpu" is configured with profile "gpu-0"
    And ResourceClaim "c" is configured with profile "gpu-0"
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | device |
      | compute | gpu-1  |
      | network | nic-0  |

  @case:config-for-other-driver
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config for a driver without allocated devices is copied to the allocation
    Given the objects
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: d}
      spec:
        devices:
          requests:
            - name: r0
              exactly: {deviceClassName: gpu}
          config:
            - opaque: {driver: other.example.com, parameters: {profile: fast}}
      """
    When allocation of ResourceClaim "d" is attempted
    Then ResourceClaim "d" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
