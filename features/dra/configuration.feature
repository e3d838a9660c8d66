Feature: Device configuration
  The configuration of a ResourceClaim and of its DeviceClasses is passed to the driver with the allocation. It
  does not influence which devices are allocated.

  Background:
    Given a device class "gpu" that selects
      """
      device.attributes["dra.example.com"].kind == "gpu"
      """
    And a device class "nic" that selects
      """
      device.attributes["dra.example.com"].kind == "nic"
      """
    And the devices
      | device | attribute kind |
      | gpu-0  | string gpu     |
      | gpu-1  | string gpu     |
      | nic-0  | string nic     |
    And a claim "c" with the requests
      | request | class |
      | compute | gpu   |
      | network | nic   |

  @case:no-configuration
  @DRA/claim/configuration-applies-to-pod
  Scenario: The allocation has no config if the ResourceClaim and its DeviceClasses have none
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source | requests | profile |

  @case:claim-config-for-all-requests
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry of a ResourceClaim without request names applies to all requests
    Given claim "c" is configured with "fast"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |

  @case:claim-config-for-one-request
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry of a ResourceClaim that names a request applies to that request
    Given claim "c" is configured with "fast" for the requests "network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim | network  | fast    |

  @case:claim-config-order
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config entries of a ResourceClaim keep their order in the allocation
    Given claim "c" is configured with "slow"
    And claim "c" is configured with "fast" for the requests "network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | slow    |
      | FromClaim | network  | fast    |

  @case:class-config-for-its-request
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass applies to the request that uses the DeviceClass
    Given device class "gpu" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |

  @case:unused-class-config
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass that no request uses is not in the allocation
    Given a device class "fpga"
    And device class "fpga" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source | requests | profile |

  @case:class-config-before-claim-config
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of DeviceClasses comes before config of the ResourceClaim
    Given claim "c" is configured with "fast" for the requests "network"
    And device class "nic" is configured with "jumbo"
    And device class "gpu" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |
      | FromClass | network  | jumbo   |
      | FromClaim | network  | fast    |

  @case:class-config-for-two-requests
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of a DeviceClass names the requests that use the DeviceClass
    Given device class "gpu" is configured with "shared"
    And a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | network | nic   |
      | two     | gpu   |
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClass | one, two | shared  |

  @case:claim-config-listed-once
  @DRA/claim/configuration-applies-to-pod
  Scenario: A config entry for two of three requests is listed once in the allocation
    Given a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | network | nic   |
      | two     | gpu   |
    And claim "d" is configured with "fast" for the requests "one, two"
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
    But until Kubernetes 1.36, because these releases list the entry once for each of its requests: claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
      | FromClaim | one, two | fast    |

  @case:config-for-every-request-unnamed
  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: A config entry that names every request is listed without request names in 1.37
    Given claim "c" is configured with "fast" for the requests "compute, network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    But from Kubernetes 1.34 to 1.36, because these releases list the entry once for each of its requests: claim "c" has the configuration
      | source    | requests         | profile |
      | FromClaim | compute, network | fast    |
      | FromClaim | compute, network | fast    |

  @case:class-config-for-every-request
  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: Config of a DeviceClass that every request uses is listed without request names in 1.37
    Given device class "gpu" is configured with "shared"
    And a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | two     | gpu   |
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClass |          | shared  |
    But from Kubernetes 1.34 to 1.36, because these releases name the requests even where configuration covers all of them: claim "d" has the configuration
      | source    | requests | profile |
      | FromClass | one, two | shared  |

  @case:config-of-other-claim
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config of one ResourceClaim is not in the allocation of another ResourceClaim
    Given a claim "d" requesting 1 device of class "gpu"
    And claim "c" is configured with "fast"
    When allocation of the claims "c, d" together is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    And claim "d" has the configuration
      | source | requests | profile |

  @case:config-does-not-select
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config does not influence which devices are allocated
    Given claim "other" already holds
      | device |
      | gpu-0  |
    And device class "gpu" is configured with "gpu-0"
    And claim "c" is configured with "gpu-0"
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | request | device |
      | compute | gpu-1  |
      | network | nic-0  |

  @case:config-for-other-driver
  @DRA/claim/configuration-applies-to-pod
  Scenario: Config for a driver of no allocated device is passed on in the allocation
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
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
